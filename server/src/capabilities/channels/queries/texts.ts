import type { OrganizationState } from '../../../kernel/projection.ts'
import {
  isFresh,
  trackDependencies,
  type JsonPieces,
  type TrackedDependencies,
} from '../../../platform/answers/composed.ts'
import { channelById, presentChannel } from './index.ts'
import { withoutFirst } from './shown.ts'

/** Chunks of at least this size are encoded separately. */
const PIECE_CHARACTERS = 256 * 1024

/** JSON by channel ID, valid while the dependencies are unchanged. */
interface Texts extends TrackedDependencies {
  readonly whole: Map<number, string>
  readonly withoutFirst: Map<number, string>
}

const textsOf = new WeakMap<OrganizationState, Texts>()

/** Reuses texts while the projections behind them are unchanged. Use the result immediately. */
export function channelTexts(organization: OrganizationState): (channelId: number, showsFirst: boolean) => string {
  const known = textsOf.get(organization)
  const isValid = known !== undefined && isFresh(organization, known)
  const texts: Texts = isValid
    ? known
    : { ...trackDependencies(organization), whole: new Map(), withoutFirst: new Map() }
  textsOf.set(organization, texts)
  return (channelId, showsFirst) => {
    const made = showsFirst ? texts.whole : texts.withoutFirst
    const text = made.get(channelId) ?? make(texts.organization, channelId, showsFirst)
    made.set(channelId, text)
    return text
  }
}

function make(organization: OrganizationState, channelId: number, showsFirst: boolean): string {
  const channel = channelById(organization, channelId)
  if (channel === undefined) throw new Error(`channel ${channelId} is visible but missing`)
  const record = presentChannel(organization, channel)
  return JSON.stringify(showsFirst ? record : withoutFirst(record))
}

export function listTexts<Item>(items: readonly Item[], textOf: (item: Item) => string): string[] {
  return items.map((item, index) => (index === 0 ? textOf(item) : `,${textOf(item)}`))
}

/** Joins texts into chunks large enough for separate encoding. */
export function joinedTexts(texts: readonly string[]): JsonPieces {
  const pieces: [string, ...string[]] = ['']
  for (const text of texts) {
    const last = pieces.length - 1
    if ((pieces[last] ?? '').length < PIECE_CHARACTERS) pieces[last] += text
    else pieces.push(text)
  }
  return pieces
}
