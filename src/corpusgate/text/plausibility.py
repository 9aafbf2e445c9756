from __future__ import annotations
import functools, unicodedata
from dataclasses import dataclass
import numpy as np
from corpusgate.text import ideographs as ideo
from corpusgate.text.alphabets import ALPHABETS, rank_law, zipf

STATES = ('space digit punct latin_lc latin_lv latin_uc latin_uv accent_lc accent_lv accent_uc accent_uv '
 'cyrillic_lc cyrillic_lv cyrillic_ls cyrillic_uc cyrillic_uv cyrillic_us greek_lc greek_lv greek_lf greek_uc greek_uv hebrew hebrew_f arabic arabic_f thai other '
 'hiragana katakana han hangul halfkana typo cjkpunct mark symbol box bad').split()
S={s:i for i,s in enumerate(STATES)}
VOWELS=set('aeiouyæœøıəαεηιουωаеёиоуыэюяієїѝ')
SCRIPTS=(('LATIN','latin'),('CYRILLIC','cyrillic'),('GREEK','greek'),('HEBREW','hebrew'),('ARABIC','arabic'),('THAI','thai'),('HIRAGANA','hiragana'),('KATAKANA','katakana'))
TYPO='“”‘’«»„‚–—…·•°©®™§№€£¡¿´′″‹›'

def _state(p):
    c=chr(p)
    if c in ' \t\n\r\xa0\u3000': return 'space'
    if p<128: 
        if c.isdigit(): return 'digit'
        if c.isalpha(): return 'latin_'+('u' if c.isupper() else 'l')+('v' if c.lower() in VOWELS else 'c')
        return 'punct' if p>=32 and p!=127 else 'bad'
    if 0x4e00<=p<0xa000 or 0x3400<=p<0x4dc0 or 0xf900<=p<0xfb00 or c in '々〆〇': return 'han'
    if 0xac00<=p<0xd7a4: return 'hangul'
    if 0xff61<=p<0xffa0: return 'halfkana'
    if 0x3040<=p<0x30a0 and unicodedata.category(c)!='Cn': return 'hiragana'
    if 0x30a0<=p<0x3100 and c!='・': return 'katakana'
    k=unicodedata.category(c)
    if k in('Cc','Cn','Co','Cs') or p==0xfffd: return 'bad'
    if c in TYPO: return 'typo'
    if 0x3000<=p<0x3040 or 0xff01<=p<0xff5f or c=='・' or 0xfe30<=p<0xfe50: return 'cjkpunct'
    if 0x2500<=p<0x25a0: return 'box'
    if k[0] in 'LM':
        n=unicodedata.name(c,'')
        if n.startswith('THAI'): return 'thai'
        if k[0]=='M' : return 'mark'
        for key,s in SCRIPTS:
            if n.startswith(key):
                if s=='latin': s='accent'
                if s in('accent','cyrillic','greek'):
                    b=unicodedata.normalize('NFD',c)[0].lower()
                    if c.lower() in 'ьъ': return s+'_'+('u' if c.isupper() else 'l')+'s'
                    if c=='ς': return 'greek_lf'
                    return s+'_'+('u' if c.isupper() or k=='Lt' else 'l')+('v' if b in VOWELS else 'c')
                if c in 'ךםןףץ': return 'hebrew_f'
                if c in 'ةى': return 'arabic_f'
                return s
        return 'other'
    if k=='Nd': return 'other'
    return 'symbol'

@functools.cache
def states(): return np.array([S[_state(p)] for p in range(65536)],np.uint8)

VV,CV,VC,CC=1.216,-.428,-.4287,.522   # Markov 1913
@functools.cache
def pairs():
    n=len(STATES); M=np.zeros((n,n))
    def parse(s):
        a,_,b=s.partition('_'); 
        return a, b[:1], b[1:]
    cased=('latin','accent','cyrillic','greek')
    wide=('hiragana','katakana','han','hangul')
    for i,p in enumerate(STATES):
        for j,c in enumerate(STATES):
            P,pc,pv=parse(p); C,cc,cv=parse(c); m=0.
            pl=P in cased or P in('hebrew','arabic','thai','other'); cl=C in cased or C in('hebrew','arabic','thai','other')
            if C in cased:
                if P in cased: m+={('l','l'):.005,('l','u'):5.5,('u','u'):.5,('u','l'):.9}[pc,cc]
                else: m+=.16 if cc=='l' else 1.9
            if P in cased and C in cased:
                same={P,C}<={'latin','accent'} or P==C
                if same:
                    pv2,cv2=(x if x in 'vc' else 'c' for x in (pv,cv))
                    m+={('v','v'):VV,('v','c'):VC,('c','v'):CV,('c','c'):CC}[pv2,cv2]
                    if cv=='s': m+= 5 if pv!='c' else 0
                    if pv=='f': m+=5
                else: m+=9 if 'accent' in(P,C) else 6
            elif P==C and pc=='f' and P in('hebrew','arabic'): m+=4
            elif pl and cl and P!=C: m+=4 if 'latin' in(P,C) else 9
            elif (pl and C in wide) or (P in wide and cl): m+=1.5 if 'latin' in(P,C) else 6
            elif P in wide and C in wide and P!=C:
                ks={P,C}
                m+= .2 if ks in({'hiragana','han'},{'katakana','han'}) else 1. if ks=={'hiragana','katakana'} else 4. if ks=={'han','hangul'} else 8.
            if cv=='s' and P not in cased: m+=7
            if cv=='f' and P not in cased: m+=5
            if 'halfkana' in (P,C) and P!=C: m+=4 if (P in wide or C in wide) else 6 if (pl or cl) else 2
            if 'symbol' in(P,C) and (pl or cl): m+=3
            if 'typo' in(P,C) and (pl or cl): m+=.7
            if C=='mark': m+= .5 if pl else 6
            if P=='box' and C=='box': m-=5
            if 'box' in (P,C) and (pl or cl): m+=4
            if 'cjkpunct' in (P,C) and (P in cased or C in cased): m+=1.5
            if 'digit' in (P,C) and (pl or cl): m+=1.5
            M[i,j]=m
    return M

COST={'space':6.,'digit':4.5,'punct':5.,'hebrew':13.,'arabic':13.,'thai':13.,'other':13.,'hiragana':13.,'katakana':13.,'han':19.,'hangul':16.,'halfkana':13.,
 'typo':7.,'cjkpunct':12.,'mark':11.,'symbol':10.5,'box':10.5,'bad':17.}
SCRIPT_OF={'ru':'cyrillic','uk':'cyrillic','bg':'cyrillic','sr':'cyrillic','mk':'cyrillic','be':'cyrillic','el':'greek','he':'hebrew','ar':'arabic','th':'thai'}
@functools.cache
def base(script):
    out=np.zeros(len(STATES))
    for i,s in enumerate(STATES):
        a=s.partition('_')[0]
        out[i]=COST.get(a, 13. if a!=script else 10.)
        if a=='accent': out[i]=10. if script=='latin' else 12.
        if a=='latin': out[i]=6.
        if a==script and a in('hebrew','arabic','thai'): out[i]=10.
    e=out[states()]
    # ascii: common to all readings
    e[32]=1.8
    for c,r in zip('etnoairshldcfumgypbvwkqjxz',rank_law(26)): e[ord(c)]=e[ord(c.upper())]=-np.log(.8*r)
    for c in ',.-\'"': e[ord(c)]=4.2
    e[[9,10,13]]=3.5
    e[0x3000]=6 ; e[0x80:0xa0]=17.
    return e
A={a.language:a for a in ALPHABETS}
def _ranked(e,letters,share,law=rank_law):
    l=law(len(letters))
    for c,r in zip(letters,l):
        e[ord(c)]=-np.log(share*r)
        u=c.upper()
        if len(u)==1: e[ord(u)]=e[ord(c)]
@functools.cache
def emission(lang):
    if lang in A:
        e=base(SCRIPT_OF.get(lang,'latin')).copy(); _ranked(e,A[lang].letters,.8)
        if lang=='tr': e[ord('İ')]=e[ord('i')]; e[ord('I')]=e[ord('ı')]
        return e
    e=base('cjk').copy()
    e[0x2e80:0x3000]=14
    if lang in('zh','zh-hant'):
        p,c=ideo.han_costs(lang); e[p]=c-np.log(.85)
        for ch,v in zip('，。、：；？！“”（）《》「」『』‘’…—·【】〈〉',[2.9,3.1,4,5,5.5,5.5,5.5,5.5,5.5,5.5,5.5,5.5,5.5,5,5,7,7,7,7,7,7,7,7,7,7,7]): e[ord(ch)]=v
        e[0x3000]=5
        e[0xff01:0xff5f]=np.minimum(e[0xff01:0xff5f],8.5)
    elif lang=='ja':
        p,c=ideo.han_costs('ja'); e[p]=c-np.log(.3)
        e[ord('々')]=8
        _ranked(e,ideo._HIRAGANA,.45); _ranked(e,ideo._KATAKANA,.12); e[ord('ー')]=4.
        for ch,v in zip('、。「」・（）『』！？：',[3.3,3.5,5,5,5.5,5.5,5.5,7,7,6.5,6.5,6.5]): e[ord(ch)]=v
        e[0x3000]=5; e[0xff01:0xff5f]=np.minimum(e[0xff01:0xff5f],8)
        e[0xff61:0xffa0]=8.5
    elif lang=='ko':
        tab=[ord(bytes((a,b)).decode('euc_kr')) for a in range(0xb0,0xc9) for b in range(0xa1,0xff)]
        e[0xac00:0xd7a4]=-np.log(.001/8822); e[tab]=-np.log(.12/2350)
        han=np.array([ord(bytes((a,b)).decode('euc_kr')) for a in range(0xca,0xfe) for b in range(0xa1,0xff)]); e[han]=-np.log(.01/4888)
        letters=''.join(dict.fromkeys(ideo._HANGUL)); _ranked(e,letters,.7)
        for ch in '‘’“”·「」…': e[ord(ch)]=7
    elif lang=='world':
        pass
    return e
