import type { OrganizationState } from '../../../kernel/projection.ts'
import {
  isFresh,
  trackDependencies,
  type JsonPieces,
  type TrackedDependencies,
} from '../../../platform/answers/composed.ts'
import { channelById, presentChannel } from './index.ts'
import { withoutFirst } from './shown.ts'

/** How much of an answer's text becomes bytes at once. */
const PIECE_CHARACTERS = 256 * 1024

/** JSON texts of channels by their ids, which hold as long as the dependencies do. */
interface Texts extends TrackedDependencies {
  readonly whole: Map<number, string>
  readonly withoutFirst: Map<number, string>
}

const textsOf = new WeakMap<OrganizationState, Texts>()

/**
 * Makes channels' JSON texts, or gives those that were made for others, if none of the projections that they were made of has
 * changed since. For use at once.
 */
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
  if (channel === undefined) throw new Error(`channel ${channelId} is shown and not there`)
  const record = presentChannel(organization, channel)
  return JSON.stringify(showsFirst ? record : withoutFirst(record))
}

/** The texts of a JSON list's items, with the commas between them. */
export function listTexts<Item>(items: readonly Item[], textOf: (item: Item) => string): string[] {
  return items.map((item, index) => (index === 0 ? textOf(item) : `,${textOf(item)}`))
}

/** Texts put together to pieces, which are no shorter than is worth their own bytes. */
export function joinedTexts(texts: readonly string[]): JsonPieces {
  const pieces: [string, ...string[]] = ['']
  for (const text of texts) {
    const last = pieces.length - 1
    if ((pieces[last] ?? '').length < PIECE_CHARACTERS) pieces[last] += text
    else pieces.push(text)
  }
  return pieces
}
