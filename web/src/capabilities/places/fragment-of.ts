import type { Place } from '../../kernel/route.ts'
import { store } from '../../platform/client.ts'
import { channelName } from '../channels/state.ts'
import { parseSearchQuery } from '../history/search-query.ts'

export function fragmentOf(place: Place): string | undefined {
  switch (place.view) {
    case 'topic':
      return `${channelFragment(place.channelId)}/topic/${encodePart(place.topic)}`
    case 'channel-feed':
      return channelFragment(place.channelId)
    case 'direct':
      return `narrow/dm/${place.userIds.join()}`
    case 'search':
      return fragmentOfSearch(place.query)
    default:
      return undefined
  }
}

function channelFragment(channelId: number): string {
  return `narrow/channel/${channelId}-${encodePart(channelName(channelId).replaceAll(' ', '-'))}`
}

/** Undefined for searches with dates or `near`, which fragments cannot express. */
function fragmentOfSearch(query: string): string | undefined {
  const { terms, unknown, near, date, since, until } = parseSearchQuery(query, store())
  if (terms.length === 0 || unknown.length > 0 || near !== undefined || date !== undefined) return undefined
  if (Number.isFinite(since) || Number.isFinite(until)) return undefined
  const steps = terms.map(({ operator, operand, negated }) => {
    const said = operator === 'channel' ? `${Number(operand)}-${channelName(Number(operand))}` : String(operand)
    return `${negated === true ? '-' : ''}${operator}/${encodePart(said)}`
  })
  return ['narrow', ...steps].join('/')
}

/** Fragments use a period instead of the percent sign. */
function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
}
