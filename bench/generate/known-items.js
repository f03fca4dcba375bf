/* Messages in 12 languages and with code, and searches that should find them, made by rules from lists of words. */
import { pick, randomBelow, seededRandom } from './random.js'

/** @import { Random } from './random.js' */

/** @typedef {{ language: string, kind: string, query: string, message: number }} KnownItem `message`: index of the message to find */
/** @typedef {{ language: string, content: string }} KnownMessage */

/**
 * `groups`: words by the rule of another form: `y>ies` replaces the end of the word.
 * @typedef {object} Vocabulary @property {string} fillers @property {Record<string, string>} groups
 */

/** @type {Record<string, Vocabulary>} */
const SPACED_LANGUAGES = {
  en: {
    fillers: 'the we with this before again please about tomorrow morning everybody still waiting',
    groups: {
      '>s': 'server invoice customer certificate dashboard password keyboard elevator kitchen bottle window rocket café résumé façade cliché soirée',
      'y>ies': 'battery library factory gallery policy',
      '>es': 'branch sandwich brush mattress fox',
      '>ing': 'deploy install restart publish',
      'e>ing': 'merge archive bake invite',
      '>ed': 'connect repaint borrow launch unlock',
    },
  },
  de: {
    fillers: 'wir haben heute noch nicht die mit über morgen bitte wieder alle schon',
    groups: {
      '>en': 'Rechnung Sitzung Zeichnung Schulung Meldung Lieferung Prüfung Übung Wohnung Tür Gebühr',
      '>n': 'Frage Anlage Küche Lampe Straße Brücke Aufgabe Blume',
      '>e': 'Bericht Termin Monat Schritt Versuch Gerät Schlüsselring',
      '>er': 'Bild Kind Feld Lied',
      '>s': 'Büro Auto Hotel Foto',
      'en>t': 'kaufen prüfen hören führen grüßen',
    },
  },
  es: {
    fillers: 'nosotros con esta antes otra todos mañana por favor siempre hasta cuando',
    groups: {
      '>s': 'factura ventana cuenta archivo cliente contraseña teléfono máquina número página caña muñeca',
      'ión>iones': 'instalación configuración actualización conexión versión reunión dirección canción',
      '>es': 'servidor motor papel color árbol lápiz',
      'z>ces': 'luz nariz raíz',
      'ar>ando': 'hablar cambiar comprar bailar nadar',
      'er>iendo': 'comer correr vender',
    },
  },
  fr: {
    fillers: 'nous avec cette avant encore toujours demain matin tout le monde pour',
    groups: {
      '>s': 'facture serveur contrat réunion fenêtre clé bibliothèque façade forêt téléphone',
      '>x': 'bureau tableau cadeau château',
      'al>aux': 'journal hôpital animal signal cheval',
      '>e': 'terminé fermé validé annulé réservé oublié',
      '>es': 'cassé brûlé gelé changé',
      'er>ons': 'parler chercher préparer déployer',
      'er>ait': 'acheter tomber montrer',
    },
  },
  pt: {
    fillers: 'nós com esta antes outra todos amanhã por favor sempre até quando',
    groups: {
      '>s': 'fatura conta janela cliente máquina número relatório árvore página café',
      'ão>ões': 'instalação configuração atualização conexão versão reunião sessão direção limão',
      'm>ns': 'mensagem imagem viagem ordem jardim',
      '>es': 'servidor motor professor cor',
      'l>is': 'jornal animal sinal canal',
      'ar>ando': 'falar comprar mudar nadar',
      'er>endo': 'comer correr vender',
    },
  },
  it: {
    fillers: 'noi con questa prima ancora tutti domani mattina sempre fino quando',
    groups: {
      'a>e': 'fattura finestra bottiglia lampada strada camera',
      'o>i': 'libro documento tavolo quaderno computo ritardo',
      'e>i': 'riunione versione stampante chiave televisione canzone',
      'ca>che': 'banca barca amica',
      'o>hi': 'fuoco parco bosco',
      'are>ando': 'parlare comprare cambiare nuotare',
      'are>ato': 'saltare guardare spostare',
      '>': 'università attività qualità libertà caffè virtù tribù',
    },
  },
  nl: {
    fillers: 'wij met deze voor nog alle morgen graag weer altijd wanneer',
    groups: {
      '>en': 'rekening vergadering bestelling levering tekening woning boek fiets kaart lamp hond reünie',
      '>s': 'tafel sleutel kamer winkel molen café',
      's>zen': 'reis prijs huis muis',
      'f>ven': 'brief duif golf',
      'oom>omen': 'boom stroom droom',
      'en>t': 'werken zoeken fietsen',
      '>': 'financiën coördinatie ideeën privé scène crème',
    },
  },
  ru: {
    fillers: 'мы сегодня ещё не все завтра снова потом уже всегда когда это',
    groups: {
      '>ы': 'договор стол документ самолёт отчёт счёт актёр сервер',
      'а>ы': 'машина комната система лампа гора звезда',
      'а>и': 'книга задача встреча собака дорога',
      'а>ой': 'погода работа команда',
      'ь>и': 'дверь площадь тетрадь крепость',
      'ие>ия': 'собрание задание обновление решение',
      'ать>ал': 'читать писать работать слушать',
      'ый>ого': 'зелёный жёлтый тёмный тёплый новый',
    },
  },
  sv: {
    fillers: 'vi med den här före igen alla imorgon alltid tills när snälla',
    groups: {
      'a>or': 'flicka fråga lampa klocka skola väska gåta',
      '>ar': 'bil stol båt häst kväll sång bänk',
      '>er': 'färg plan telefon katt månad',
      '>en': 'skog mark buss järnväg',
      '>n': 'möte äpple fönsterbräde rykte',
      '>et': 'hus bröd träd päron',
      'a>ade': 'öppna låna städa hämta',
      'a>ar': 'tala ringa måla räkna',
    },
  },
}

/** Scripts without spaces, and Korean, whose particles follow words directly. */
const JOINED_LANGUAGES = {
  zh: {
    fillers: '我们 昨天 已经 需要 大家 这个 马上 重新 还是 终于 明天 一起',
    words:
      '数据库 服务器 会议室 防火墙 打印机 洗衣机 图书馆 火车站 飞机场 办公室 身份证 信用卡 咖啡馆 电影院 博物馆 自行车 冰激凌 巧克力 西红柿 高速公路 发票 合同 预算 密码 键盘 钥匙 雨伞 钢琴 森林 沙漠 火箭 蜡烛 邮件 牙医 地铁 厨房 护照 黄油 鲸鱼 蜂蜜',
    ends: '。',
  },
  ja: {
    fillers: '私たちは 昨日 もう 必要 みんな この すぐ もう一度 まだ ようやく 明日 一緒に',
    words:
      'データベース サーバー 会議室 プリンター 洗濯機 図書館 飛行場 キーボード パスワード カメラ コーヒー 映画館 美術館 自転車 チョコレート トマト 高速道路 請求書 契約書 予算案 鍵盤楽器 雨傘 ピアノ 森林 砂漠 ロケット ろうそく 郵便局 歯医者 地下鉄 台所 旅券 バター 鯨肉 蜂蜜 議事録 証明書 温度計 眼鏡 冷蔵庫',
    ends: 'です。',
  },
  ko: {
    fillers: '우리는 어제 이미 필요한 모두 이것을 바로 다시 아직 드디어 내일 함께',
    words:
      '데이터베이스 서버 회의실 프린터 세탁기 도서관 비행장 키보드 비밀번호 카메라 영화관 미술관 자전거 초콜릿 토마토 고속도로 청구서 계약서 예산안 열쇠 우산 피아노 수풀 사막 로켓 양초 우체국 치과 지하철 부엌 여권 버터 고래 벌꿀 회의록 증명서 온도계 안경 냉장고 방화벽',
    ends: '를',
  },
}

const CODE = {
  verbs: 'parse render encode compile resolve validate fetch merge',
  nouns: 'Query Token Buffer Socket Cursor Schema Worker Packet Folder Header',
  fillers: 'see fails in since the change at line now with broken because',
}

const MESSAGES = 2_000
const FILLERS = 7
const QUERIES_PER_KIND = 40
/** Shorter parts are in too many words. */
const MIN_PART_CHARACTERS = 4
const MIN_PREFIX_CHARACTERS = 3
const MIN_TYPO_CHARACTERS = 5

/**
 * A word of a message, with what a search for it could be.
 * @typedef {object} Word @property {string} text @property {string} [form] another form @property {string} filler another word of the message
 */

/** @param {number} seed @returns {{ messages: KnownMessage[], items: KnownItem[] }} */
export function generateKnownItems(seed) {
  const random = seededRandom(seed)
  /** @type {{ language: string, write: (index: number) => { content: string, word: Word } }[]} */
  const writers = [
    ...Object.entries(SPACED_LANGUAGES).map(([language, vocabulary]) => ({
      language,
      write: spacedWriter(random, vocabulary),
    })),
    ...Object.entries(JOINED_LANGUAGES).map(([language, vocabulary]) => ({
      language,
      write: joinedWriter(random, vocabulary, language === 'ko' ? ' ' : ''),
    })),
    { language: 'code', write: codeWriter(random) },
  ]
  /** @type {KnownMessage[]} */
  const messages = []
  /** @type {KnownItem[]} */
  const items = []
  for (let index = 0; index < MESSAGES; index += 1) {
    const { language, write } = writers[index % writers.length] ?? { language: '', write: codeWriter(random) }
    const turn = Math.floor(index / writers.length)
    const { content, word } = write(turn)
    messages.push({ language, content })
    if (turn >= QUERIES_PER_KIND) continue
    for (const [kind, query] of queriesFor(random, word)) items.push({ language, kind, query, message: index })
  }
  return { messages, items }
}

/** @param {Random} random @param {Vocabulary} vocabulary */
function spacedWriter(random, { fillers, groups }) {
  const all = fillers.split(' ')
  const words = Object.entries(groups).flatMap(([rule, list]) => {
    const [end = '', other = ''] = rule.split('>')
    return list.split(' ').map((text) => ({ text, form: `${text.slice(0, text.length - end.length)}${other}` }))
  })
  return (/** @type {number} */ index) => {
    const word = words[index % words.length] ?? { text: '', form: '' }
    const around = pickDistinct(random, all)
    const at = randomBelow(random, around.length)
    return {
      content: around.with(at, `${around[at]} ${word.text}`).join(' '),
      word: { ...word, filler: around[0] ?? '' },
    }
  }
}

/** @param {Random} random @param {{ fillers: string, words: string, ends: string }} vocabulary @param {string} space */
function joinedWriter(random, { fillers, words, ends }, space) {
  const all = words.split(' ')
  return (/** @type {number} */ index) => {
    const text = all[index % all.length] ?? ''
    const around = pickDistinct(random, fillers.split(' '))
    return { content: `${around.join(space)}${space}${text}${ends}`, word: { text, filler: around[0] ?? '' } }
  }
}

/** @param {Random} random */
function codeWriter(random) {
  const [verbs, nouns] = [CODE.verbs.split(' '), CODE.nouns.split(' ')]
  return (/** @type {number} */ index) => {
    const noun = nouns[index % nouns.length] ?? ''
    const text = `${verbs[index % verbs.length] ?? ''}${nouns[(index * 7 + 3) % nouns.length] ?? ''}${noun}`
    const hash = Array.from({ length: 12 }, () => randomBelow(random, 16).toString(16)).join('')
    const error = `E${1_000 + index}_${noun.toUpperCase()}`
    const path = `src/${noun.toLowerCase()}/${text.toLowerCase()}_${index}.test.ts`
    const content = `${pickDistinct(random, CODE.fillers.split(' ')).join(' ')} \`${text}()\` ${hash} ${error} \`${path}\``
    return {
      content,
      word: pick(random, [
        { text, filler: error },
        { text: hash, filler: path },
        { text: error, filler: hash },
      ]),
    }
  }
}

/** @param {Random} random @param {readonly string[]} all */
function pickDistinct(random, all) {
  const left = [...all]
  return Array.from({ length: FILLERS }, () => left.splice(randomBelow(random, left.length), 1).join())
}

/** @param {Random} random @param {Word} word @returns {[kind: string, query: string][]} */
function queriesFor(random, { text, form, filler }) {
  const characters = [...text]
  const plain = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u0305\u0307-\u036f]/g, '')
    .normalize('NFC')
  const isOfLetters = /^\p{L}+$/u.test(text) && form !== undefined
  const part = characters.slice(1, form === undefined && characters.length < MIN_PART_CHARACTERS ? undefined : -1)
  const prefix = characters.slice(0, Math.ceil((characters.length * 2) / 3))
  const isCut = form === undefined || part.length >= MIN_PART_CHARACTERS
  return [
    ...(form === undefined || form === text ? [] : [pair('inflected', form)]),
    ...(isCut ? [pair('part', part.join(''))] : []),
    ...(form === undefined || prefix.length >= MIN_PREFIX_CHARACTERS ? [pair('prefix', prefix.join(''))] : []),
    ...(form === undefined || plain === text ? [] : [pair('accent', plain)]),
    ...((isOfLetters || /^[a-z]+[A-Z]/.test(text)) && characters.length >= MIN_TYPO_CHARACTERS
      ? [pair('typo', misspell(random, characters))]
      : []),
    pair('two words', `${filler} ${text}`),
  ]
}

/** @param {string} kind @param {string} query @returns {[kind: string, query: string]} */
function pair(kind, query) {
  return [kind, query]
}

/** Omits, doubles, replaces, or swaps a letter after the first. @param {Random} random @param {readonly string[]} letters */
function misspell(random, letters) {
  for (;;) {
    const at = 1 + randomBelow(random, letters.length - 2)
    const [before, letter = '', after] = [letters.slice(0, at), letters[at], letters.slice(at + 1)]
    const changed = pick(random, [
      after,
      [letter, letter, ...after],
      [pick(random, letters), ...after],
      [...after.slice(0, 1), letter, ...after.slice(1)],
    ])
    const word = [...before, ...changed].join('')
    if (word !== letters.join('')) return word
  }
}
