import type { users } from '@parley/server/contract'
import type { Conversation } from '../../../kernel/route.ts'
import { MOST_FOUND, ranked } from '../../../kernel/ranking.ts'
import { t } from '../../../kernel/strings.ts'
import { messages } from '../../../platform/client.ts'
import { holdersOf, mayMention, membersOf, ownGroups } from '../../groups/members.ts'
import { activePeople, isMutedUser } from '../../users/state.ts'
import { holdersOfMany, wildcardsIn, type Wildcard } from '../wildcards.ts'
import type { Suggestion } from './suggestion.ts'

/** A mention with an underscore behind the at sign is silent: it notifies no one. */
const SILENT = '_'

/** People, groups and everybody: those of the conversation first. */
export function people(typed: string, where: Conversation | undefined): readonly Suggestion[] {
  const isSilent = typed.startsWith(SILENT)
  const name = isSilent ? typed.slice(SILENT.length) : typed
  const at = isSilent ? `@${SILENT}` : '@'
  const here = new Set(where === undefined ? [] : peopleIn(where))
  const known = activePeople.value.filter(({ user_id }) => !isMutedUser(user_id))
  const [near, far] = [true, false].map((isNear) =>
    ranked(
      known.filter(({ user_id }) => here.has(user_id) === isNear),
      name,
      (person) => person.full_name,
    ).map((person) => personal(person, at)),
  )
  return [...(near ?? []), ...everybody(name, where, at), ...groups(name, at), ...(far ?? [])].slice(0, MOST_FOUND)
}

function personal({ user_id: userId, full_name: label, email: detail }: users.User, at: string): Suggestion {
  const name = isAmbiguous(label) ? `${label}|${userId}` : label
  return { key: `user-${userId}`, label, detail, userId, text: `${at}**${name}** ` }
}

/** Who wrote last in a conversation that was read, or to whom it is. */
function peopleIn(where: Conversation): readonly number[] {
  if (where.view === 'direct') return where.userIds
  return messages.shownIn(where).map(({ sender_id }) => sender_id)
}

/** Two people may have the same name; the id tells them apart. */
function isAmbiguous(name: string): boolean {
  const isIt = (person: { readonly full_name: string }): boolean => person.full_name === name
  return activePeople.value.findLastIndex(isIt) !== activePeople.value.findIndex(isIt)
}

function everybody(typed: string, where: Conversation | undefined, at: string): readonly Suggestion[] {
  if (typed === '') return []
  return wildcardsIn(where)
    .filter(({ name }) => name.startsWith(typed))
    .map((wildcard) => {
      // What notifies no one is free to everybody.
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
  return ranked(ownGroups.value, typed, ({ name }) => name).map((group) => {
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
