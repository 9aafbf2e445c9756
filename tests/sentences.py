# ruff: noqa: RUF001 - the letters of many scripts
"""Sentences in the languages that legacy encodings were made for, written for these tests."""

SENTENCES = {
    "zh": (
        "今天的天气很好，我们打算一起出去走走。",
        "他说这件事情还没有结束，明天再商量。",
        "图书馆每天早上八点开门，晚上十点关门。",
        "如果你有时间，请把这封信寄给她。",
    ),
    "zh-hant": (
        "這個問題我們明天再討論吧，現在太晚了。",
        "圖書館每天早上八點開門，歡迎大家來讀書。",
        "她說以後會常常回來看望父母和老師。",
        "請把這封信寄給他，謝謝你的幫忙。",
    ),
    "ja": (
        "今日はとても良い天気なので、公園まで歩いて行きました。",
        "この本は去年の夏に友達から借りたものです。",
        "コンピューターの電源を入れてから、しばらく待ってください。",
        "明日の朝は早く起きなければなりません。",
    ),
    "ko": (
        "오늘은 날씨가 아주 좋아서 공원까지 걸어갔습니다.",
        "이 책은 작년 여름에 친구에게서 빌린 것입니다.",
        "내일 아침에는 일찍 일어나야 합니다.",
        "도서관은 매일 아침 여덟 시에 문을 엽니다.",
    ),
    "ru": (
        "Сегодня хорошая погода, поэтому мы пойдём гулять в парк.",
        "Эту книгу я взял у своего друга прошлым летом.",
        "Завтра утром нужно будет встать пораньше.",
        "Библиотека открывается каждый день в восемь часов.",
    ),
    "uk": (
        "Сьогодні гарна погода, тому ми підемо гуляти до парку.",
        "Цю книжку я позичив у свого друга минулого літа.",
        "Завтра вранці треба буде прокинутися раніше.",
    ),
    "de": (
        "Heute ist schönes Wetter, deshalb gehen wir über die Brücke in den Park.",
        "Dieses Buch habe ich mir für den Sommer von einem Freund geliehen.",
        "Die Tür der Bücherei öffnet jeden Tag um acht Uhr.",
    ),
    "fr": (
        "Aujourd'hui il fait très beau, et nous irons nous promener à l'étang.",
        "J'ai emprunté ce livre à un ami l'été dernier, déjà.",
        "La bibliothèque ouvre chaque matin à huit heures, même le samedi.",
    ),
    "pl": (
        "Dzisiaj jest ładna pogoda, więc pójdziemy na spacer do parku.",
        "Tę książkę pożyczyłem od przyjaciela zeszłego lata.",
        "Jutro rano trzeba będzie wcześniej wstać, żeby zdążyć.",
    ),
    "cs": (
        "Dnes je hezké počasí, a proto půjdeme na procházku do parku.",
        "Tuto knížku jsem si půjčil od přítele loni v létě.",
        "Zítra ráno bude třeba vstát dřív než obvykle.",
    ),
    "el": (
        "Σήμερα ο καιρός είναι πολύ καλός και θα πάμε στο πάρκο.",
        "Αυτό το βιβλίο μου το δάνεισε ένας φίλος το περασμένο καλοκαίρι.",
        "Η βιβλιοθήκη ανοίγει κάθε μέρα στις οκτώ το πρωί.",
    ),
    "tr": (
        "Bugün hava çok güzel olduğu için parka yürüyüşe çıkacağız.",
        "Bu kitabı geçen yaz bir arkadaşımdan ödünç almıştım.",
        "Yarın sabah erken kalkmamız gerekiyor, çünkü işimiz çok.",
    ),
    "he": (
        "היום מזג האוויר נאה מאוד ולכן נלך לטייל בפארק.",
        "את הספר הזה שאלתי מחבר שלי בקיץ שעבר.",
        "הספרייה נפתחת כל יום בשעה שמונה בבוקר.",
    ),
    "ar": (
        "الطقس جميل جدا اليوم ولذلك سنذهب إلى الحديقة.",
        "استعرت هذا الكتاب من صديق لي في الصيف الماضي.",
        "تفتح المكتبة أبوابها كل يوم في الساعة الثامنة صباحا.",
    ),
    "lt": (
        "Šiandien labai gražus oras, todėl eisime pasivaikščioti į parką.",
        "Šią knygą pasiskolinau iš draugo praėjusią vasarą.",
        "Rytoj ryte reikės atsikelti anksčiau negu įprastai.",
    ),
    "th": (
        "วันนี้อากาศดีมาก เราจึงจะไปเดินเล่นที่สวนสาธารณะ",
        "หนังสือเล่มนี้ฉันยืมมาจากเพื่อนเมื่อปีที่แล้ว",
        "พรุ่งนี้เช้าเราต้องตื่นเร็วกว่าปกติ",
    ),
}

ENCODINGS = (
    ("gb18030", "zh"),
    ("cp950", "zh-hant"),
    ("cp932", "ja"),
    ("euc_jp", "ja"),
    ("cp949", "ko"),
    ("johab", "ko"),
    ("cp1251", "ru"),
    ("cp1251", "uk"),
    ("koi8-r", "ru"),
    ("koi8-u", "uk"),
    ("cp866", "ru"),
    ("iso8859-5", "ru"),
    ("cp1252", "de"),
    ("cp1252", "fr"),
    ("cp1250", "pl"),
    ("cp1250", "cs"),
    ("iso8859-2", "pl"),
    ("iso8859-2", "cs"),
    ("cp1253", "el"),
    ("iso8859-7", "el"),
    ("cp1254", "tr"),
    ("cp1255", "he"),
    ("cp1256", "ar"),
    ("cp1257", "lt"),
    ("cp874", "th"),
)
"""(encoding, language) to transcode sentences into."""


def transcoded(encoding: str, language: str) -> list[tuple[bytes, str]]:
    """(bytes, text) of the sentences that the encoding can hold."""
    return [(text.encode(encoding), text) for text in SENTENCES[language]]
