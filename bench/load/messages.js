/* Realistic messages: mostly a sentence or two; some with a link, mention, code, list, or quote. */

const MESSAGE_WORDS =
  'the a we it this that server client build release test change branch review meeting deploy queue message works fails again today tomorrow because after before should could think looks good slow fast memory database please thanks maybe yes no one two first next time week customer report page button error log trace metric design document'.split(
    ' ',
  )

/** Generates the same messages every time. @param {number} count @param {readonly string[]} names people to mention */
export function createMessageTexts(count, names) {
  const random = seededRandom(42)
  /** @template T @param {readonly T[]} list */
  const one = (list) => list[Math.floor(random() * list.length)] ?? list[0]
  const sentence = () => {
    const words = Array.from({ length: 4 + Math.floor(random() * 12) }, () => one(MESSAGE_WORDS))
    return `${words.join(' ').replace(/^./, (letter) => letter.toUpperCase())}.`
  }
  /** @type {readonly (() => string)[]} */
  const extras = [
    () => `${sentence()} See https://example.com/issues/${Math.floor(random() * 9000)} for **more**.`,
    () => `@**${one(names) ?? ''}** ${sentence()}`,
    () => `${sentence()} \`npm run ${one(MESSAGE_WORDS)}\` says *${one(MESSAGE_WORDS)}*.`,
    () => `\`\`\`\n${sentence()}\n  at ${one(MESSAGE_WORDS)} (${one(MESSAGE_WORDS)}.js:12:3)\n\`\`\``,
    () => `${sentence()}\n\n* ${sentence()}\n* ${sentence()}\n* ${sentence()}`,
    () => `> ${sentence()}\n\n${sentence()} :smile:`,
  ]
  return Array.from({ length: count }, () => (random() < 0.6 ? `${sentence()} ${sentence()}` : (one(extras)?.() ?? '')))
}

/** Generates uniform numbers from 0 to 1. @param {number} seed */
function seededRandom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
