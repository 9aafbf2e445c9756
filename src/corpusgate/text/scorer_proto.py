from __future__ import annotations
import functools, codecs
import numpy as np
from corpusgate.text.plausibility import *
from corpusgate.text import plausibility as P
SINGLE={'cp1252':(0,'en:1 de:1 fr:.7 es:.7 it pt:.3 nl sv da nb fi is:-1.5 ca:-1 ga:-2'),'cp1250':(-1,'pl cs hu sk ro hr sl'),'iso8859-2':(-1.7,'pl cs hu sk ro hr sl'),
'cp1251':(0,'ru bg uk sr mk be'),'koi8-r':(-1,'ru'),'koi8-u':(-2.5,'uk'),'iso8859-5':(-2,'ru bg sr mk be'),'cp866':(-2,'ru'),'cp1253':(-1,'el'),'iso8859-7':(-1.5,'el'),
'cp1254':(-1,'tr'),'cp1255':(-1,'he'),'cp1256':(-1,'ar'),'cp1257':(-2,'lt lv et'),'cp1258':(-2.5,'vi'),'cp874':(-1,'th')}
MULTI={'gb18030':(0,'zh zh-hant:-4'),'cp950':(-.5,'zh-hant'),'cp932':(-.5,'ja'),'euc_jp':(-1,'ja'),'cp949':(-.5,'ko')}
COLS=[]
for e,(p,ls) in {**SINGLE,**MULTI}.items():
    for l in ls.split():
        l,_,d=l.partition(':')
        COLS.append((e,l,p+float(d or 0)-.3*np.log(len(ls.split()))))
ENCS=list(SINGLE)+list(MULTI)
PRIOR=np.array([c[2] for c in COLS]); OF={e:[i for i,c in enumerate(COLS) if c[0]==e] for e in ENCS}
B=np.uint64(0x9E3779B97F4A7C15)
with np.errstate(over='ignore'):
    POW=np.cumprod(np.full(64,B,np.uint64))
def fold_table():
    return np.array([ord(chr(i).lower()) if len(chr(i).lower())==1 else i for i in range(65536)],np.uint64)
FOLD=fold_table()
def whash(w):
    h=0
    for i,c in enumerate(w): h=(h+ord(c)*int(POW[i]))%2**64
    return h
@functools.cache
def words(lang):
    """sorted hashes, gains"""
    if lang not in A or not A[lang].words: return np.zeros(0,np.uint64),np.zeros(0),()
    e=emission(lang); M=pairs(); st=states(); ws=A[lang].words; z=zipf(len(ws)); d={}
    for w,r in zip(ws,z):
        s=[0]+[int(st[ord(c)]) for c in w]+[0]
        spelled=sum(e[ord(c)] for c in w)+sum(M[a,b] for a,b in zip(s,s[1:]))
        g=spelled+np.log(.4*r)
        if g>0: d[whash(w)]=g
    k=np.array(sorted(d),np.uint64); return k,np.array([d[int(x)] for x in k]),ws
LETTER=np.array([s.partition('_')[0] in('latin','accent','cyrillic','greek','hebrew','arabic','thai') for s in STATES])
@functools.cache
def wordtable(langs):
    keys=np.unique(np.concatenate([words(l)[0] for l in langs])) if langs else np.zeros(0,np.uint64)
    G=np.zeros((len(keys)+1,len(langs)))
    for j,l in enumerate(langs):
        k,g,_=words(l); G[np.searchsorted(keys,k),j]=g
    return keys,G
def lookup(h,langs):
    keys,G=wordtable(langs)
    if not len(keys): return np.zeros((len(h),len(langs)))
    i=np.minimum(np.searchsorted(keys,h),len(keys)-1)
    return np.where((keys[i]==h)[:,None],G[i],0)
def word_hashes(fold,letter,pick=None):
    """starts, ends of letter runs; hash"""
    l=letter.astype(np.int8); d=np.diff(np.concatenate([[0],l,[0]])); s=np.flatnonzero(d==1); e=np.flatnonzero(d==-1)
    if pick is not None: 
        k=pick(s,e); s,e=s[k],e[k]
    if not len(s): return s,e,np.zeros(0,np.uint64)
    n=e-s; tot=n.sum(); off=np.repeat(np.cumsum(n)-n,n); pos=np.arange(tot)-off; idx=np.repeat(s,n)+pos
    with np.errstate(over='ignore'):
        h=np.add.reduceat(fold[idx]*POW[np.minimum(pos,63)],np.cumsum(n)-n)
    return s,e,h
FOREIGN=1.5
LATIN=tuple(sorted({c[1] for c in COLS if c[1] in A and c[1] not in SCRIPT_OF}))
def ascii_part(x,rid,n):
    """x: codes (0..65535). costs of ASCII emissions per record: general, and per Latin language"""
    asc=x<128; st=states()[x]; letter=asc&LETTER[st]
    e=emission('en')
    base_=np.bincount(rid,np.where(asc&~letter,e[x],0),n)
    d=np.diff(np.concatenate([[0],letter.astype(np.int8),[0]])); s=np.flatnonzero(d==1); en=np.flatnonzero(d==-1)
    if not len(s): return base_,{l:base_ for l in LATIN}
    whole=np.ones(len(s),bool); y=np.concatenate([[0],x,[0]])
    whole=(y[s]<128)&(y[en+1]<128)
    nn=en-s; off=np.cumsum(nn)-nn; pos=np.arange(nn.sum())-np.repeat(off,nn); idx=np.repeat(s,nn)+pos; xi=x[idx]
    with np.errstate(over='ignore'): h=np.add.reduceat(FOLD[xi]*POW[np.minimum(pos,63)],off)
    G=lookup(h,LATIN)*whole[:,None]
    r=rid[s]
    gen=np.add.reduceat(e[xi],off)-G[:,LATIN.index('en')]
    out={}
    for j,l in enumerate(LATIN):
        own=np.add.reduceat(emission(l)[xi],off)-G[:,j]
        out[l]=base_+np.bincount(r,np.minimum(own+.2,gen+FOREIGN),n)
    return base_+np.bincount(r,gen+FOREIGN,n),out
@functools.cache
def page(enc):
    cp=[]
    for i in range(256):
        try: cp.append(ord(bytes([i]).decode(enc)))
        except UnicodeDecodeError: cp.append(0xffff)
    cp=np.array(cp); return cp, cp!=0xffff, states()[cp]
def score(recs):
    n=len(recs); out=np.full((n,len(COLS)),-np.inf)
    buf=np.frombuffer(b'\n'+b'\n'.join(recs),np.uint8); ln=np.array([len(r)+1 for r in recs]); rid=np.repeat(np.arange(n),ln)
    gen,lat=ascii_part(buf,rid,n)
    M=pairs().ravel(); K=len(STATES)
    hi=buf>=128; hi_i=np.flatnonzero(hi); inv=np.flatnonzero(hi[1:]|hi[:-1])+1; rin=rid[inv]; rhi=rid[hi_i]
    asc_pairs=np.flatnonzero(~(hi[1:]|hi[:-1]))+1
    st0=states()[buf].astype(np.intp)
    shared=np.bincount(rid[asc_pairs],M[st0[asc_pairs-1]*K+st0[asc_pairs]],n)
    for enc in SINGLE:
        cp,ok,st=page(enc)
        bad=np.bincount(rhi,~ok[buf[hi_i]],n)>0
        sb=st[buf].astype(np.intp)
        pr=np.bincount(rin,M[sb[inv-1]*K+sb[inv]],n)+shared
        langs=tuple(COLS[i][1] for i in OF[enc])
        letter=LETTER[sb]
        ch=np.concatenate([[0],np.cumsum(hi)])
        s,e,h=word_hashes(FOLD[cp[buf]],letter,lambda s,e:ch[e]>ch[s])
        G=lookup(h,langs)
        for k,i in enumerate(OF[enc]):
            l=COLS[i][1]
            c=np.bincount(rhi,emission(l)[cp][buf[hi_i]],n)+pr+(lat[l] if l in lat else gen)-np.bincount(rid[s],G[:,k],n)
            out[:,i]=np.where(bad,-np.inf,-c)
    for enc in MULTI:
        ts=[];ok=[]
        for i,r in enumerate(recs):
            t=decode(r,enc)
            if t is not None: ts.append(t); ok.append(i)
        if not ok: continue
        m=len(ok)
        cp=np.minimum(np.frombuffer(('\n'+'\n'.join(ts)).encode('utf-32-le'),np.uint32),0xffff).astype(np.intp)
        r2=np.repeat(np.arange(m),[len(t)+1 for t in ts]); g,_=ascii_part(cp,r2,m); s=states()[cp].astype(np.intp)
        pr=np.concatenate([[0],M[s[:-1]*K+s[1:]]]); hi2=cp>=128
        for i in OF[enc]:
            e=np.where(hi2,emission(COLS[i][1])[cp],0)+pr
            out[ok,i]=-(np.bincount(r2,e,m)+g)
    return out
def decode(r,enc):
    try: return r.decode(enc)
    except UnicodeDecodeError:
        if enc=='cp950':
            try: return r.decode('big5hkscs')
            except UnicodeDecodeError: return None
        return None
def by_enc(s): return np.stack([np.logaddexp.reduce(s[:,OF[e]],axis=1) for e in ENCS],1)
def pick(recs,E):
    o=np.argsort(-E,axis=1); out=[]
    for r,row,oo in zip(recs,E,o):
        if row[oo[0]]==-np.inf: out.append((None,None,0.,None)); continue
        t=decode(r,ENCS[oo[0]]); mg=50.; ru=None
        for k in oo[1:]:
            if row[k]==-np.inf: break
            if decode(r,ENCS[k])!=t: mg=row[oo[0]]-row[k]; ru=ENCS[k]; break
        out.append((ENCS[oo[0]],t,mg,ru))
    return out
def detect(recs): return pick(recs,by_enc(score(recs)+PRIOR))
