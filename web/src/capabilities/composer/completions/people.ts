import type { users } from '@parley/server/contract'
import { computed } from '@preact/signals'
import type { Conversation } from '../../../kernel/route.ts'
import { MOST_FOUND, rankItems } from '../../../kernel/ranking.ts'
import { t } from '../../../kernel/strings.ts'
import { messages } from '../../../platform/client.ts'
import { holdersOf, mayMention, membersOf, ownGroups } from '../../groups/members.ts'
import { activePeople, isMutedUser } from '../../users/state.ts'
import { holdersOfMany, wildcardsIn, type Wildcard } from '../wildcards.ts'
import type { Suggestion } from './suggestion.ts'

/** A mention with an underscore after the at sign is silent: it notifies no one. */
const SILENT = '_'

/** Suggests people, groups, and wildcards; participants of the conversation come first. */
export function people(typed: string, where: Conversation | undefined): readonly Suggestion[] {
  const isSilent = typed.startsWith(SILENT)
  const name = isSilent ? typed.slice(SILENT.length) : typed
  const at = isSilent ? `@${SILENT}` : '@'
  const here = new Set(where === undefined ? [] : peopleIn(where))
  const near: users.User[] = []
  const far: users.User[] = []
  for (const person of activePeople.value) {
    if (!isMutedUser(person.user_id)) (here.has(person.user_id) ? near : far).push(person)
  }
  const found = (among: readonly users.User[]): Suggestion[] =>
    rankItems(among, name, (person) => person.full_name).map((person) => personal(person, at))
  const first = [...found(near), ...everybody(name, where, at), ...groups(name, at)]
  return [...first, ...(first.length < MOST_FOUND ? found(far) : [])].slice(0, MOST_FOUND)
}

function personal({ user_id: userId, full_name: label, email: detail }: users.User, at: string): Suggestion {
  const name = ambiguous.value.has(label) ? `${label}|${userId}` : label
  return { key: `user-${userId}`, label, detail, userId, text: `${at}**${name}** ` }
}

/** The recipients of a direct message, or the authors of a topic's loaded messages. */
function peopleIn(where: Conversation): readonly number[] {
  if (where.view === 'direct') return where.userIds
  return messages.shownIn(where).map(({ sender_id }) => sender_id)
}

/** Names that several people share. Mentions of these people require the user ID. */
const ambiguous = computed(() => {
  const once = new Set<string>()
  const several = new Set<string>()
  for (const { full_name: name } of activePeople.value) (once.has(name) ? several : once).add(name)
  return several
})

function everybody(typed: string, where: Conversation | undefined, at: string): readonly Suggestion[] {
  if (typed === '') return []
  return wildcardsIn(where)
    .filter(({ name }) => name.startsWith(typed))
    .map((wildcard) => {
      // Anyone can use silent mentions.
      const isDenied = at === '@' && !wildcard.isAllowed
      const { name } = wildcard
      return {
        key: `all-${name}`,
        label: name,
        icon: 'mentions',
        detail: saidOf(wildcard, isDenied),
        isDenied,
        text: `${at}**${name}** `,
      }
    })
}

function saidOf({ reach, people: count }: Wildcard, isDenied: boolean): string {
  const reached = {
    conversation: t().composer.everybody,
    channel: t().composer.everybodyInChannel,
    topic: t().composer.everybodyInTopic,
  }[reach](count)
  return isDenied ? `${t().composer.denied(holdersOfMany())} · ${reached}` : reached
}

function groups(typed: string, at: string): readonly Suggestion[] {
  if (typed === '') return []
  return rankItems(ownGroups.value, typed, ({ name }) => name).map((group) => {
    const { id, name, description } = group
    const isDenied = at === '@' && !mayMention(group)
    const said = [
      isDenied ? t().composer.denied(holdersOf(group.can_mention_group)) : '',
      t().composer.groupOf(membersOf(group).length),
      description,
    ]
    return {
      key: `group-${id}`,
      label: name,
      icon: 'mentions',
      detail: said.filter((part) => part !== '').join(' · '),
      isDenied,
      text: `${at}*${name}* `,
    }
  })
}
