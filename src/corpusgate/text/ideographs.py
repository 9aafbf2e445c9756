# ruff: noqa: RUF001 - full-width punctuation is meant
"""Chinese, Japanese and Korean: how common a character is, from the ranks the standards gave.

GB 2312, Big5, JIS X 0208 each put their common characters first (level 1), so a codec that
knows the table knows the level. A short list of the very commonest refines it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corpusgate.text.alphabets import rank_law

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    Costs: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64]]

# Commonest characters of modern Chinese in order of frequency, after Jun Da, "Modern Chinese
# Character Frequency List" (Middle Tennessee State University, 2004).
_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    "日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政"
    "美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员"
    "解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件"
    "计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象"
    "完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运"
)
# The same characters as Taiwan writes them.
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡"
    "用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實"
    "日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政"
    "美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員"
    "解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件"
    "計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象"
    "完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運"
)
# Commonest kanji of Japanese in order of frequency, after the newspaper counts of the National
# Institute for Japanese Language, "Modern Newspapers' Vocabulary" (1976) and its successors.
_KANJI = (
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回"
    "新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法"
    "不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女"
    "初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参"
    "売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式"
    "確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料"
)
# Commonest syllables of Korean in order of frequency: function endings and particles first, after
# the counts of the National Institute of Korean Language, "Frequency of Modern Korean" (2002).
_HANGUL = (
    "이다는에의을하가고지로은한사를도기인대자어서그아리시나정으일들있해수부전스장제보주과구상라세만원여적것성할"
    "면비동게연요우조모식공경화거신생습니중오치안방유문미회와관까마소선실용개말드트되위무행내없분터각간불물금"
    "년진었했던체려당계반업양심교때러않데출발국단결차재표작현속명산입음및또통파히력본설노운추최역법더학열"
    "르크레프저네감민새였받변강건후된태피직점종천호예님등너며살두번키포타란외순"
)
_HIRAGANA = (
    "のいにるしたとてはをがなでかれすもらこさっりまあきよくそうどおやけえわめちせつみほだ"
    "ょじゃげびばずべごひんへふざゅぶぎぐねむゆぞぬぼろぱぷぽぺぢづぜぁぃぅぇぉ"
)
_KATAKANA = (
    "ンースルトラリイクアッドシレジプタフロテマグコィバデムサパュメカブオエキニチウポャナズセダミ"
    "ネノビモハケソョボワツェガベヘァゴヤザピペホゲォギヨユヒヌヴゼゾヅヂヲ"
)

# Share of running text by rank of character: 1-100, the rest of the list, of level 1, level 2, all
# others. Source: Jun Da (2004): cumulative 42 % at 100, 67 % at 345, 99 % at 2,800.
_SHARES = (0.42, 0.25, 0.32, 0.009, 0.001)
_TOP = 100
_HAN = (0x4E00, 0x9FFF)
_HANGUL_BLOCK = (0xAC00, 0xD7A3)
_COMMON = {"zh": _SIMPLIFIED, "zh-hant": _TRADITIONAL, "ja": _KANJI}
# Codec, lead bytes and first trail byte of level 1 and level 2: GB 2312-80 rows 16-55 and
# 56-87, Big5 A440-C67E and C940-F9D5, JIS X 0208 rows 16-47 and 48-84, as EUC.
_LEVELS = {
    "zh": (("gb2312", 0xB0, 0xD7, 0xA1), ("gb2312", 0xD8, 0xF7, 0xA1)),
    "zh-hant": (("big5", 0xA4, 0xC6, 0x40), ("big5", 0xC9, 0xF9, 0x40)),
    "ja": (("euc_jp", 0xB0, 0xCF, 0xA1), ("euc_jp", 0xD0, 0xF4, 0xA1)),
}
# Shares of kinds of characters: Japanese after the counts of the National Institute for
# Japanese Language (1976); Chinese and Korean by hand.
_KINDS = {"zh": 0.85, "zh-hant": 0.85, "ja": 0.3}
_HIRAGANA_SHARE, _KATAKANA_SHARE, _HANGUL_SHARE, _HANJA_SHARE = 0.45, 0.12, 0.7, 0.01
# KS X 1001 holds 2,350 of the 11,172 syllables; the others make 1 in 1,000 of Korean text.
_RARER_HANGUL_SHARE, _OTHER_HANGUL_SHARE = 0.12, 0.001
# Nats of punctuation, hand-set from its rank: a stop or comma every 10-20 characters.
_MARKS = {
    "zh": {
        3.0: "，。",
        4.0: "、",
        5.0: "：…—\u3000",
        5.5: "；？！“”（）《》「」『』",
        7.0: "‘’·【】〈〉",
    },
    "ja": {
        3.4: "、。",
        4.0: "ー",
        5.0: "「」\u3000",
        5.5: "・（）",
        6.5: "！？：",
        7.0: "『』",
        8.0: "々",
    },
    "ko": {7.0: "‘’“”·「」…"},
}
_FULLWIDTH_ASCII = (0xFF01, 0xFF5E)
_HALFWIDTH_KANA = (0xFF61, 0xFF9F)


def _table(codec: str, low: int, high: int, first: int) -> list[int]:
    """Code points of the double bytes in a block of a codec's table."""
    pairs = (bytes((a, b)) for a in range(low, high + 1) for b in range(first, 0xFF))
    texts = (pair.decode(codec, "ignore") for pair in pairs)
    return [ord(text) for text in texts if len(text) == 1]


def _flat(points: Iterable[int], share: float) -> Costs:
    """Code points that share a part of the text evenly."""
    known = np.unique(np.fromiter(points, np.int64))
    return known, np.full(len(known), np.log(len(known)) - np.log(share))


def _ranked(letters: str, share: float) -> Costs:
    return np.array([ord(c) for c in letters]), -np.log(share * rank_law(len(letters)))


def _han(language: str) -> Iterator[Costs]:
    first, second = (_table(*level) for level in _LEVELS[language])
    common = [ord(c) for c in _COMMON[language]]
    tiers = (common[:_TOP], common[_TOP:], first, second, range(_HAN[0], _HAN[1] + 1))
    for tier, share in zip(tiers, _SHARES, strict=True):
        inside = (p for p in tier if _HAN[0] <= p <= _HAN[1])
        yield _flat(inside, share * _KINDS[language])


def _korean() -> Iterator[Costs]:
    yield _ranked("".join(dict.fromkeys(_HANGUL)), _HANGUL_SHARE)
    yield _flat(_table("euc_kr", 0xB0, 0xC8, 0xA1), _RARER_HANGUL_SHARE)
    yield _flat(_table("euc_kr", 0xCA, 0xFD, 0xA1), _HANJA_SHARE)
    yield _flat(range(_HANGUL_BLOCK[0], _HANGUL_BLOCK[1] + 1), _OTHER_HANGUL_SHARE)


def costs(language: str) -> Iterator[Costs]:
    """(code points, -ln P of each) of zh, zh-hant, ja or ko; the least of a point's holds."""
    if language == "ko":
        yield from _korean()
    else:
        yield from _han(language)
        yield _constant(range(_FULLWIDTH_ASCII[0], _FULLWIDTH_ASCII[1] + 1), 8.5)
    if language == "ja":
        yield _ranked(_HIRAGANA, _HIRAGANA_SHARE)
        yield _ranked(_KATAKANA, _KATAKANA_SHARE)
        yield _constant(range(_HALFWIDTH_KANA[0], _HALFWIDTH_KANA[1] + 1), 8.5)
    for cost, marks in _MARKS[language.partition("-")[0]].items():
        yield _constant((ord(c) for c in marks), cost)


def _constant(points: Iterable[int], cost: float) -> Costs:
    known = np.fromiter(points, np.int64)
    return known, np.full(len(known), cost)
