"""Alphabetic languages: their letters, most frequent first, and their commonest words."""
# ruff: noqa: RUF001 - letters of many scripts look alike; here each is meant

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Alphabet:
    """What a reader of a language expects to see, without having read a corpus."""

    language: str
    """ISO 639-1."""
    letters: str
    """Lower-case letters and marks, most frequent first."""
    words: tuple[str, ...]
    """The commonest words first, most of them of the closed classes (articles, pronouns,
    prepositions, conjunctions, forms of `to be`)."""


def rank_law(n: int) -> NDArray[np.float64]:
    """Probabilities of n letters by rank.

    Source: S. M. Gusein-Zade, "On the distribution of letters of the Russian language by
    frequency", Problems of Information Transmission 24 (1988); found to hold across
    languages by Borodovsky and Gusein-Zade, J. Biomolecular Structure and Dynamics 6 (1989).
    """
    law = np.log(n + 1) - np.log(np.arange(1, n + 1))
    return np.asarray(law / law.sum(), np.float64)


def zipf(n: int) -> NDArray[np.float64]:
    """Probabilities of n words by rank.

    Source: G. K. Zipf, "Human Behavior and the Principle of Least Effort" (1949).
    """
    law = 1.0 / np.arange(1, n + 1)
    return np.asarray(law / law.sum(), np.float64)


# Order of letters: counted over the Universal Declaration of Human Rights (translations of the
# Office of the High Commissioner for Human Rights); letters too rare to stand in it come last.
_LETTERS = {
    "en": "etnoairshldcfumgypbvwkqjxz",
    "de": "enritdashulgcfombkzwväüpjößyxqé",
    "fr": "esnaitrouldcpméqvfgbhàxèyjêzçôîûùâœëïkwæ",
    "es": "eaoinsrdlctupmbyhógvfíqájzúéxñkwü",
    "it": "ieaontrldsucpmgzvbhfàqèùéòìjkxyw",
    "pt": "eaosidrtnumclpgvçãfbqhíéºàõázjêóxúâôªkwy",
    "nl": "eniartdoglhvskjmcbzpwfuyëéïxöüq",
    "sv": "aternlisdgoäkhmvföucåpbyjxéqwz",
    "da": "erntlidasgofkhmvubæpåøyjcéxwzq",
    "nb": "ertnlisaogkdmhvfåupbjøyæcéwxz",
    "fi": "aitensklouämjvhyrpdögbfcwqxåšž",
    "is": "arniesltgumðfkvohþdjáíéóöybæpúýxczw",
    "et": "aeistlunkdmorvgõjhpbäüöfšžcyz",
    "ca": "eaitslnrocdupmvgbóqféhàèíjxúçòyzïküw",
    "ga": "aihnertcsogdluámíbfúéópv",
    "pl": "oaienwzrcysdpktujlmłbgżhąóśęćńźfvxq",
    "cs": "oneavtsáidrlkpmíubzhcjyéěýžčřšůúťgňfďóxwq",
    "sk": "oaneivrstkdálmpubhzcjýyžčéúťšíľôňgďfóäĺŕxwq",
    "hu": "eastnlkziémgoáryvbdjhőöcüópfíuűúxwq",
    "ro": "eiartnluocspădmțșvbîfgâzjxhşţkwyq",
    "hr": "aoinejvrustdlmkpbzčgšžcćhđfxwyq",
    "sl": "oaienvrsdjtlkpmuzčbghžcšfxwyq",
    "tr": "eairlnkmıtdshyuvbşüozçgcğöfpâjîûwxq",
    "lt": "iastreonkmuvlpgjdybėųąžšįęūcčzfhxw",
    "lv": "iasteunrīābvkpmoldzjcēšgņūļģķfžčhxwy",
    "vi": "nhaictugươêđôopvymâpbqlkrdăsxeàáảãạèéẻẽẹìíỉĩịòóỏõọùúủũụ",
    "ru": "оеиантвсрлдпмкяубыьгчжйзхющцшэфъё",
    "uk": "оаніивтрседуплямкбзюгьжхчїцйєшщфґ",
    "bg": "аоиенвтсрдклпбзчямъугжщцйхшюфь",
    "sr": "аоиенврустдпкмлјбзчњгшцљжхђћфџ",
    "mk": "аоиентврсдлпкумјбзчгцшњжќѓхфљџѕ",
    "be": "аныірвеосдялкпцумтбзўгчьхжюйэшёф",
    "el": "ατιεονκρσηπςυμίδλωθάέήόγχώύξφβζψϊϋΐΰ",
    "he": "ויהלאתבשרכדמעחםנזפסןקגצטףךץ",
    "ar": "اليموتنةرعدقأحهفبسكجإشخضصىذزطءغئظثآؤ",
    "th": "ารนกอม่ิทงะ้ัสคีลดเยวแตหปจบุใขืชธพไำศ็ภูึโถษญ์ผฐณฏซฎฒฉฟๆฤฮฝ๊๋",
}

# The commonest words of each language, most of them of the closed classes: hand-written, in
# about the order of their frequency, from no corpus.
_WORDS = {
    "en": "the of and to in a is that for it as with on be by this are or not from at which you"
    " have has if an was but can all will we he they his their one there when use no more so"
    " what your new may other only out up do any who about used i my me him her she our us",
    "de": "der die und in den von zu das mit ist des für auf im nicht ein eine als auch es an"
    " werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so"
    " zum war haben nur oder aber vor zur bis mehr durch man sein wurde kann wenn ich wir ihr"
    " was dann mich mir schon möchte würde können müssen hätte wäre gibt"
    " dieser diese dieses alle hier immer keine muß muss",
    "fr": "de la le et les des en un du une est que dans qui à a il par pour pas sur au ne se"
    " ce plus sont avec ou son cette être été aux même comme mais si nous vous sa leur elle"
    " d l s n c qu j deux ces tout fait où après très peut aussi sans ont était ses entre"
    " déjà là voilà je tu mon notre",
    "es": "de la que el en y a los se del las un por con no una su para es al lo como más o"
    " pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue"
    " había era muy años hasta desde está mi porque qué sólo han yo hay puede todos así"
    " nos ni parte tiene él uno donde bien tiempo mismo ese ahora cada vida otro después te"
    " está él sí según aquí días",
    "it": "di e il la che in a per un del è non le si una i con da della sono al dei più nel come"
    " alla ha gli lo ma anche delle o se dal su cui ci nella ad questo essere può era così"
    " stato l d quando perché però già dell all tutti tutto mi io ho c sarà città fa",
    "pt": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi"
    " ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até"
    " isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha"
    " foram essa num nem suas meu às minha têm numa pelos elas havia seja qual será nós lhe"
    " são então é",
    "nl": "de van het een en in is dat op te zijn met voor niet aan er om ook als dan maar bij"
    " uit door nog over naar hij heeft ze wordt of hebben kan meer ik je deze werd geen één",
    "sv": "och i att det som en på är av för med den till inte har de ett om var jag men så"
    " vi från när kan nu eller han där under efter ska även alla vid ut sig mycket år"
    " också då bara hur över få två här vara måste går får gör",
    "da": "og i at det er en til på som den med de for der af ikke et har kan om vi var jeg"
    " men han fra så eller ved ud år være når over efter også hvis du skal blev må få være"
    " bliver mere få nå før",
    "nb": "og i det på som er en til å han av for med at var de ikke den har jeg om et men så"
    " hun hadde fra vi du kan da når vil ble eller skal må også være år får før gå",
    "fi": "ja on ei että se oli hän mutta niin kun joka myös ole kuin jos sen nyt tai ovat vain"
    " ne sitä mitä hänen voi jo olla minä sinä tämä tämän tässä kaikki enää vielä päälle"
    " jälkeen pitää näin mikä missä",
    "is": "og að í á er sem til við það var um en með fyrir ekki af hann eru því frá hefur"
    " þess eða ég þú þetta svo verið hún þar vera ef verður hafa þegar upp",
    "et": "ja on ei et see oli ta ka kui mis aga seda oma mida või selle kes nii siis ma veel"
    " kus olla ning üks välja üle pärast juba võib väga kõik mitte tema ära",
    "ca": "de la i el a que en l d les un per amb és del els una al no es va són més com seu o"
    " si ha dels també però s pel què aquest hi ser n fins on així després",
    "ga": "a an na agus i ar is go ag do sé tá le ní bhí don sa seo mar nó ó é í sin bhfuil"
    " gach den ach",
    "pl": "w i na się z do nie to że jest o jak a po od za przez ale dla co tak jego który są"
    " by już czy tego może tym jej ich ma był tylko przy sobie także było być bardzo go ze"
    " pan lub oraz mnie mu kiedy jeszcze jeśli która które nad gdy pod bo nic tu więc będzie"
    " można też ja on ona gdzie cię mam trochę proszę wszystko każdy żeby nawet dlaczego",
    "cs": "a se v na je že o s z do i to k ve pro za by ale si po jako podle od jsem které tak"
    " jsou který jeho však bude nebo už jen byl jak až u než při být co má může když před"
    " své pod já není aby mi není ještě ho li také mezi byla bylo sem této včetně též něco"
    " více pouze protože proč dnes člověk tím všechno každý",
    "sk": "a v sa na je že s o z do k ako pre to za by aj ktoré od po si ktorý sú alebo ale bol"
    " pri tak už len iba však podľa nie bude ich jeho môže má ešte keď všetky pred tiež"
    " než aby byť medzi nový sme pod nad čo vo môžete",
    "hu": "a az és hogy nem is egy van volt meg csak ez de már ha mint még el azt kell be le"
    " sem vagy fel ki lesz pedig ezt mert akkor azonban között én ami majd után minden több"
    " így úgy jó való más lehet során által két nagy itt ezek mi ő őt nincs",
    "ro": "de și în a la cu o pe care din nu se un că este mai să sunt pentru au ca fi sau ce"
    " prin el ai după al lui fost dar când sa până dacă fără către ale şi această"
    " între şi dintr într are acest ei îl",
    "hr": "i u je se na da su za od s o a koji ne kao iz to će ili bi što do nije ali samo sve"
    " koje po biti može već kako još te više koja ako smo nakon bez prema tako li šta",
    "sl": "in je v na se da za so ki z s ne pa po tudi o bi kot ali od ni iz še pri do če ko"
    " bil lahko več že ima ter sem biti tem kako ta med bo tako zaradi pred vse samo čas",
    "tr": "ve bir bu da için ile de çok olarak o olan daha en gibi var ne kadar sonra her ki"
    " değil ya ama mi ise ben ya şey şu veya göre diye iki oldu olduğu üzerinde aynı ayrıca"
    " yok hiç böyle öyle",
    "lt": "ir į kad yra iš su ar tai kaip bet už jo buvo o nuo ne per jis dėl tik taip dar apie"
    " prie po savo kai jų gali būti jau bus arba iki šis ši šio jei jį daug pagal",
    "lv": "un ir no ar uz par ka kas to tas bet vai arī kā nav lai līdz pēc ne tikai pie būs"
    " jau tā šo ja viņš es viņa gan šī šis vairāk bija",
    "vi": "và các của là có cho trong được không một với những này khi đã từ để người",
    "ru": "и в не на что с по как а но это к у из за то он от так же для бы все было или я вы"
    " мы о только если его еще когда уже до вот был быть нет ни чем при они даже если ли"
    " да чтобы кто где может есть ты она их мне меня со во без под надо тем том этом была",
    "uk": "і в не на що з у та до як за це а але від для по про він є так то й або його які"
    " бути вже був якщо при із коли все ще лише я ми ви їх ні чи цей щоб між може тільки",
    "bg": "на и да се в за не е от с са си по че но до като един ще или му това при го ни я"
    " които който ли още как след само може има ме бе беше може ги те та към между ако",
    "sr": "и у је се на да су за од са о а који не као из то ће или би што до није али само",
    "mk": "на и во да се од за со е не што го ќе ги како по но до или ја тоа при кој",
    "be": "і у ў на не з што да як для за а гэта па ад але яго ці быў які пра",
    "el": "και το η του την της να με των για τα από που στην ο είναι σε οι στο δεν θα τον τη"
    " τους τις στη ότι μια ή ένα όπως αυτό αν μας αλλά κατά έχει πως προς ως μη όταν μετά"
    " έναν μία σας αυτή πολύ μόνο στα στις",
    "he": "של את על לא הוא עם זה כי גם או היא אל כל אם יש אני אך בין מה רק הם עד זו לפי לאחר"
    " אין יותר כדי היה להיות ניתן",
    "ar": "في من على إلى أن عن هذا أو لا مع هذه التي ما كان الذي هو كل بعد هي ذلك بين لم"
    " قد إذا عند ثم غير حتى يمكن تم إن و ليس أي",
    "th": "",
}

ALPHABETS = tuple(
    Alphabet(language, letters, tuple(dict.fromkeys(_WORDS[language].split())))
    for language, letters in _LETTERS.items()
)
