import { ranked } from '../../../kernel/ranking.ts'
import { allChannels } from '../../channels/state.ts'
import { topicsOf } from '../../channels/topics.ts'
import { topicTitle } from '../../places/title.tsx'
import type { Suggestion } from './suggestion.ts'

export function channels(typed: string): readonly Suggestion[] {
  return ranked(allChannels(), typed, ({ name }) => name).map(({ stream_id: id, name, description }) => {
    // Its topics are likely to be asked for next.
    topicsOf(id)
    return { key: `channel-${id}`, label: `#${name}`, detail: description, text: `#**${name}** ` }
  })
}

/** The topics of a channel that was typed or completed: `#garden>be`. */
export function topics(typed: string): readonly Suggestion[] {
  const [written = '', ...rest] = typed.split('>')
  const name = written.replaceAll('*', '').trim()
  const channel = allChannels().find((one) => one.name.toLowerCase() === name)
  if (channel === undefined) return []
  const found = ranked(topicsOf(channel.stream_id), rest.join('>').trim(), topicTitle)
  return found.map((topic) => ({
    key: `topic-${topic}`,
    label: `#${channel.name} > ${topicTitle(topic)}`,
    text: `#**${channel.name}>${topic}** `,
  }))
}
