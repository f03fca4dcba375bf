/* A vocabulary, and texts made from it: mostly one line, seldom long; some with links, code, lists, or headings. */
import { randomAround, randomBelow, pick } from './random.js'

/** @import { Random } from './random.js' */

/** Occurs in about one in 16 messages. */
export const FREQUENT_WORD = 'release'
export const RARE_WORD = 'zeppelin'
/** In a script without spaces, in the same messages as RARE_WORD. */
export const RARE_SENTENCE = '昨天我们升级了数据库服务器'

const FIRST_NAMES =
  'Ada Aiko Alba Amir Anna Anton Aria Aziz Bela Bruno Carla Chen Cleo Dara David Dina Elif Emil Enzo Erik Esra Eva Fay Felix Femi Finn Gita Greta Hana Hugo Ida Igor Ines Ivan Jana Jonas Juna Kai Kemal Kira Lara Lea Leon Lina Luca Maja Malik Mara Max Mei Mila Mina Nadia Nico Nina Noah Nora Olga Omar Otto Paul Petra Pia Rafa Rana Rico Rosa Ruth Sami Sara Sena Sofia Sven Tara Theo Tilda Uma Vera Viktor Wanda Yara Yusuf Zoe'.split(
    ' ',
  )
const LAST_NAMES =
  'Abel Acker Adler Aho Amato Arslan Baker Barth Becker Berg Bianco Blom Borg Braun Brook Campos Carver Chavez Cole Conti Costa Dahl Demir Diaz Dorn Duarte Eder Ekman Engel Fabre Falk Farkas Fischer Fox Frey Garcia Gomez Graf Greco Haas Hale Hansen Hart Heller Holm Horvat Huber Ito Jansen Kaya Keller Kim Klein Koch Kovac Kraus Lang Larsen Lehmann Lind Lopez Lund Maas Marino Marsh Mbeki Meyer Mori Moreau Nagy Nakano Neri Nilsen Novak Okoye Olsen Ortega Osei Palm Park Pavel Pinto Popov Quist Ramos Rao Reis Ricci Riva Rossi Sato Schmid Silva Singh Sokol Stein Stone Suzuki Tanaka Toth Tran Vance Vargas Vidal Vogel Wang Weber Winter Wolf Wong Yilmaz Zhang Ziegler'.split(
    ' ',
  )

const NOUNS =
  'build server test change page user report branch deploy issue meeting plan question answer idea design table index query cache client button form script log error timeout patch version package queue worker node cluster backup alert dashboard metric budget invoice contract customer ticket draft review feedback schedule office room desk lunch coffee train weather weekend holiday team project goal milestone deadline estimate scope risk proposal document spec diagram sketch prototype model dataset sample result graph number column field schema migration rollback incident outage latency memory disk network router firewall certificate token login password account role permission group channel topic message thread reaction emoji picture video link title paragraph translation keyboard screen laptop phone battery cable adapter monitor printer badge door key elevator parking garden kitchen'.split(
    ' ',
  )
const VERBS =
  'check look fix change try move send read write test merge revert deploy start stop restart update remove add rename split join measure compare explain ask answer review approve reject schedule cancel prepare finish skip repeat open close lock unlock copy paste sort filter search find follow mute archive restore'.split(
    ' ',
  )
const ADJECTIVES =
  'new old small large slow fast broken green red stable flaky empty full open closed early late quiet loud simple strange obvious missing extra final first second next last local remote public private safe risky cheap hot cold warm'.split(
    ' ',
  )
const FUNCTION_WORDS =
  'the a this that it we I you they is was are has had will would could should can not and but or so then because when if with without for from to in on at of about after before again still also just only maybe really very quite'.split(
    ' ',
  )
const SENTENCE_OPENINGS = [
  'Thanks!',
  'Sure.',
  'Hm,',
  'I think',
  'Yes,',
  'No,',
  'Good morning!',
  'By the way,',
  'Done.',
  'OK',
]

/** A unique name: repeated names get a middle initial. @param {number} index */
export function personName(index) {
  const first = FIRST_NAMES[index % FIRST_NAMES.length] ?? ''
  const last = LAST_NAMES[Math.floor(index / FIRST_NAMES.length) % LAST_NAMES.length] ?? ''
  const turn = Math.floor(index / (FIRST_NAMES.length * LAST_NAMES.length))
  return turn === 0 ? `${first} ${last}` : `${first} ${middleInitial(turn)} ${last}`
}

/** @param {number} turn */
function middleInitial(turn) {
  return `${String.fromCodePoint(64 + (turn % 26 || 26))}.${turn > 26 ? ` ${Math.floor(turn / 26)}` : ''}`
}

/** @param {Random} random @param {number} index makes the name unique */
export function channelName(random, index) {
  return `${pick(random, ADJECTIVES)} ${pick(random, NOUNS)} ${index}`
}

/** A unique name, as the database requires. @param {Random} random @param {number} index */
export function topicName(random, index) {
  return `${pick(random, VERBS)} ${random() < 0.4 ? `${pick(random, ADJECTIVES)} ` : ''}${pick(random, NOUNS)} ${index}`
}

/** @param {Random} random */
function generateSentence(random) {
  const words = Array.from({ length: randomAround(random, 8, 0.6) }, () => {
    const kind = random()
    if (kind < 0.45) return pick(random, FUNCTION_WORDS, 1.5)
    if (kind < 0.75) return pick(random, NOUNS, 2)
    if (kind < 0.9) return pick(random, VERBS, 1.5)
    if (kind < 0.98) return pick(random, ADJECTIVES)
    return String(randomBelow(random, 10_000))
  })
  const text = words.join(' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${random() < 0.15 ? '?' : '.'}`
}

/** @param {Random} random */
export function generateParagraph(random) {
  const sentences = Array.from({ length: randomAround(random, 1.2, 0.7) }, () => generateSentence(random))
  return random() < 0.2 ? [pick(random, SENTENCE_OPENINGS), ...sentences].join(' ') : sentences.join(' ')
}

/** @param {Random} random @returns {string} Markdown */
export function messageText(random) {
  const kind = random()
  const text = generateParagraph(random)
  if (kind < 0.12) return `${text} ${generateLink(random)}`
  if (kind < 0.15) return `${text}\n${generateCode(random)}`
  if (kind < 0.18)
    return `${text}\n\n* ${generateSentence(random)}\n* ${generateSentence(random)}\n* ${generateSentence(random)}`
  if (kind < 0.19) return `# ${pick(random, NOUNS)}\n\n${text}\n\n${generateParagraph(random)}`
  if (kind < 0.25) return `${text} **${pick(random, NOUNS)}** and \`${pick(random, VERBS)}\``
  if (kind < 0.28) return `> ${generateSentence(random)}\n\n${text}`
  if (kind < 0.34) return `${text} :${pick(random, ['smile', 'thumbs_up', 'tada', 'heart'])}:`
  return text
}

/** @param {Random} random */
function generateLink(random) {
  return `https://wiki.example.com/${pick(random, NOUNS)}/${pick(random, VERBS)}-${randomBelow(random, 1_000)}`
}

/** @param {Random} random */
function generateCode(random) {
  const name = `${pick(random, VERBS)}_${pick(random, NOUNS)}`
  return `\`\`\`python\ndef ${name}(${pick(random, NOUNS)}):\n    return ${pick(random, VERBS)}(${randomBelow(random, 100)})\n\`\`\``
}
