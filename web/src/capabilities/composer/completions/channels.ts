import { caseKey } from '@parley/server/kernel/case-key'
import { placeLink } from '@parley/server/markdown/place-link'
import { rankItems } from '../../../kernel/ranking.ts'
import { allChannels, type Channel } from '../../channels/state.ts'
import { topicsOf } from '../../channels/topics.ts'
import { topicTitle } from '../../places/title.tsx'
import type { Suggestion } from './suggestion.ts'

export function channels(typed: string): readonly Suggestion[] {
  return rankItems(allChannels(), typed, ({ name }) => name).map(({ stream_id: id, name, description }) => {
    // The user will probably choose one of the channel's topics next.
    topicsOf(id)
    return { key: `channel-${id}`, label: `#${name}`, detail: description, text: `${placeLink({ id, name })} ` }
  })
}

/** The topics of a typed or completed channel: `#garden>be`. */
export function topics(typed: string): readonly Suggestion[] {
  const found = channelBefore(typed)
  if (found === undefined) return []
  const { channel, rest } = found
  return rankItems(topicsOf(channel.stream_id), rest, topicTitle).map((topic) => ({
    key: `topic-${topic}`,
    label: `#${channel.name} > ${topicTitle(topic)}`,
    text: `${placeLink({ id: channel.stream_id, name: channel.name }, topic, topicTitle(topic))} `,
  }))
}

/** The channel before a `>`. Its name can contain `>` too. */
function channelBefore(typed: string): { readonly channel: Channel; readonly rest: string } | undefined {
  for (let at = typed.indexOf('>'); at !== -1; at = typed.indexOf('>', at + 1)) {
    const name = typed.slice(0, at).trim().replace(/^\*\*/, '').replace(/\*\*$/, '')
    const channel = allChannels().find((one) => caseKey(one.name) === name)
    if (channel !== undefined) return { channel, rest: typed.slice(at + 1).trim() }
  }
  return undefined
}
