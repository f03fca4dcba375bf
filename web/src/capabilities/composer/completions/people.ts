import type { users } from '@parley/server/contract'
import type { Conversation } from '../../../kernel/route.ts'
import { MOST_FOUND, ranked } from '../../../kernel/ranking.ts'
import { t } from '../../../kernel/strings.ts'
import { messages, store } from '../../../platform/client.ts'
import { activePeople, isMutedUser } from '../../users/state.ts'
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
  return [...(near ?? []), ...(isSilent ? [] : everybody(name, where)), ...groups(name, at), ...(far ?? [])].slice(
    0,
    MOST_FOUND,
  )
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

function everybody(typed: string, where: Conversation | undefined): readonly Suggestion[] {
  const all = [
    { name: 'all', detail: where?.view === 'direct' ? t().composer.everybody : t().composer.everybodyInChannel },
    ...(where?.view === 'topic' ? [{ name: 'topic', detail: t().composer.everybodyInTopic }] : []),
  ]
  return all
    .filter(({ name }) => typed !== '' && name.startsWith(typed))
    .map(({ name, detail }) => ({ key: `all-${name}`, label: name, detail, text: `@**${name}** ` }))
}

function groups(typed: string, at: string): readonly Suggestion[] {
  if (typed === '') return []
  const usable = store()
    .read('realm_user_groups')
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
  return ranked(usable, typed, ({ name }) => name).map(({ id, name, description, members }) => ({
    key: `group-${id}`,
    label: name,
    detail: description === '' ? t().composer.groupOf(members.length) : description,
    text: `${at}*${name}* `,
  }))
}
