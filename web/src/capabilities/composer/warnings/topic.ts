import type { Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { bareTopic, isResolved, RESOLVED } from '../../channels/state.ts'
import { topicsOf } from '../../channels/topics.ts'
import { movedTo } from '../../message-edits/following.ts'
import { renameTopic, type Topic } from '../../message-edits/moving.ts'
import { mayResolve } from '../../message-edits/rules.ts'
import { placeName, topicTitle } from '../../places/title.tsx'
import { isMutedTopic, VISIBILITY } from '../../unread/state.ts'
import { setVisibility } from '../../user-topics/actions.ts'
import { focusPart } from '../destination.ts'
import { topicFault } from '../rights.ts'
import type { Warning } from './warning.ts'
import { caseKey } from '@parley/server/kernel/case-key'

/** Warns if the topic was moved or resolved, or violates the channel's topic policy. */
export function aboutTopic(place: Topic): readonly Warning[] {
  const fault = topicFault(place)
  if (fault === 'missing') {
    const action = { title: t().composer.chooseTopic, run: () => focusPart('topic') }
    return [{ key: 'missing', text: t().warnings.needsTopic, action }]
  }
  if (fault === 'forbidden') {
    const without: Conversation = { ...place, topic: '' }
    return [{ key: 'forbidden', text: t().warnings.noTopics(topicTitle('')), action: writeThere(without) }]
  }
  const there = newPlaceOf(place)
  if (there !== undefined)
    return [{ key: 'moved', text: t().warnings.moved(placeName(there)), action: writeThere(there) }]
  return [...warnOfResolved(place), ...warnOfMuted(place)]
}

function writeThere(place: Conversation): Warning['action'] & object {
  return { title: t().warnings.writeThere, run: (writing) => writing.redirect(place) }
}

/** The new location of a topic that was moved or whose resolved mark changed. */
function newPlaceOf({ view, channelId, topic }: Topic): Topic | undefined {
  const isThere = (name: string): boolean => topicsOf(channelId).some((one) => caseKey(one) === caseKey(name))
  if (topicsOf(channelId).length === 0 || isThere(topic)) return undefined
  const other = isResolved(topic) ? bareTopic(topic) : RESOLVED + topic
  return isThere(other) ? { view, channelId, topic: other } : movedTo({ view, channelId, topic })
}

function warnOfResolved(place: Topic): readonly Warning[] {
  const { channelId, topic } = place
  if (!isResolved(topic)) return []
  const name = topicTitle(topic)
  const run = (): void => void renameTopic(place, bareTopic(topic), t().channel.unresolved(name))
  const action = mayResolve(channelId) ? { title: t().channel.unresolve, run } : undefined
  return [{ key: 'resolved', text: t().warnings.resolved, ...(action && { action }) }]
}

function warnOfMuted({ channelId, topic }: Topic): readonly Warning[] {
  if (!isMutedTopic(channelId, topic)) return []
  const run = (): void => void setVisibility(channelId, topic, VISIBILITY.unmuted)
  return [{ key: 'muted', text: t().warnings.muted, action: { title: t().channel.unmuteTopic, run } }]
}
