import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Projection, OrganizationState } from '../../kernel/projection.ts'
import { createYielder } from '../../kernel/pauses.ts'
import type { Output } from '../../kernel/endpoint.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import type { Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { linksInTopic } from '../../platform/markdown/render.ts'
import type { TopicLink } from '../../platform/markdown/renderer.ts'
import type { LegacyLinkifier, Linkifier } from './contract.ts'
import type * as contract from './contract.ts'

interface LinkifiersState {
  list: readonly Linkifier[]
}

/** Every change replaces the whole array, so results cached for an array stay valid. */
export const linkifiersProjection: Projection<LinkifiersState, readonly Linkifier[]> = {
  name: 'linkifiers',
  takesRights: () => false,
  empty: () => ({ list: [] }),
  async load(state, db, organizationId) {
    state.list = await db
      .selectFrom('realm_linkifiers')
      .select(['pattern', 'url_template', 'id'])
      .where('organization_id', '=', organizationId)
      .orderBy('position')
      .execute()
  },
  apply(state, list) {
    state.list = list
  },
}

/** Returns the same array until the linkifiers change. */
export function linkifiersOf(organization: OrganizationState): readonly Linkifier[] {
  return organization.of(linkifiersProjection).list
}

const SIMPLE_TEMPLATE_EXPRESSION = /\{([A-Za-z0-9_]+)\}/g

/** Omits linkifiers that the format before RFC 6570 cannot express. */
export function legacyLinkifiers(list: readonly Linkifier[]): LegacyLinkifier[] {
  return list
    .filter(({ url_template }) => !/[{}]/.test(url_template.replace(SIMPLE_TEMPLATE_EXPRESSION, '')))
    .map(({ pattern, url_template, id }) => [
      pattern,
      url_template.replaceAll('%', '%%').replace(SIMPLE_TEMPLATE_EXPRESSION, '%($1)s'),
      id,
    ])
}

const MAX_CACHED_TOPICS = 10_000
const topicLinkCaches = new WeakMap<readonly Linkifier[], BoundedCache<string, readonly TopicLink[]>>()
const NO_LINKS: readonly TopicLink[] = []

export async function linksInTopics(
  organization: OrganizationState,
  topics: Iterable<string>,
): Promise<ReadonlyMap<string, readonly TopicLink[]>> {
  const linkifiers = linkifiersOf(organization)
  const known = topicLinkCaches.get(linkifiers) ?? new BoundedCache(MAX_CACHED_TOPICS)
  topicLinkCaches.set(linkifiers, known)
  const links = new Map<string, readonly TopicLink[]>()
  const pause = createYielder()
  for (const topic of topics) {
    if (links.has(topic)) continue
    let found = known.get(topic)
    if (found === undefined) {
      found = await findLinks(topic, linkifiers)
      known.set(topic, found)
      await pause()
    }
    links.set(topic, found)
  }
  return links
}

/** Most topics skip the parser: without linkifiers, only URLs become links, and every URL contains `.` or `:`. */
async function findLinks(topic: string, linkifiers: readonly Linkifier[]): Promise<readonly TopicLink[]> {
  return linkifiers.length === 0 && !/[.:]/.test(topic) ? NO_LINKS : linksInTopic(topic, { linkifiers })
}

export function getLinkifiers({ organization }: Reader): Output<typeof contract.getLinkifiers> {
  return { linkifiers: [...linkifiersOf(organization)] }
}

/** `legacyLinkifiersChangedToClient` serves older clients. */
export function linkifiersChangedToClient(
  { payload }: LoggedEvent,
  { form }: Viewer,
): LoggedEvent['payload'] | undefined {
  return form.capabilities.linkifier_url_template ? payload : undefined
}

export function legacyLinkifiersChangedToClient(
  { payload }: LoggedEvent,
  { form }: Viewer,
): LoggedEvent['payload'] | undefined {
  return form.capabilities.linkifier_url_template ? undefined : payload
}

export function linkifiersSnapshot({ organization, form }: Viewer): Record<string, unknown> {
  return { realm_linkifiers: form.capabilities.linkifier_url_template ? linkifiersOf(organization) : [] }
}

export function legacyLinkifiersSnapshot({ organization, form }: Viewer): Record<string, unknown> {
  return { realm_filters: form.capabilities.linkifier_url_template ? [] : legacyLinkifiers(linkifiersOf(organization)) }
}
