import { caseKey } from '@parley/server/kernel/case-key'
import { useRef, useState } from 'preact/hooks'
import { rankItems } from '../../../kernel/ranking.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { membersOf, ownGroups } from '../../groups/members.ts'
import { activePeople, userById, userName } from '../state.ts'
import { Avatar } from './avatar.tsx'
import { PersonMark } from './signs.tsx'
import './people-picker.css'

interface PeoplePickerProps {
  readonly label: string
  readonly placeholder?: string
  readonly chosen: readonly number[]
  /** Whether a person is already included and therefore not suggested. */
  readonly isThere: (userId: number) => boolean
  readonly onChange: (chosen: readonly number[]) => void
}

interface PeopleMatch {
  readonly key: string
  readonly name: string
  readonly userIds: readonly number[]
}

/** Selects people one by one or as a whole group. Enter selects the first match. */
export function PeoplePicker({ label, placeholder = label, chosen, isThere, onChange }: PeoplePickerProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const found = findPeople(caseKey(typed.trim()), (id) => isThere(id) || chosen.includes(id))
  // Focuses the field: the pressed button disappears, and the user will probably search for the next person.
  const change = (next: readonly number[]): void => {
    field.current?.focus()
    onChange(next)
  }
  const choose = ({ userIds }: PeopleMatch): void => {
    setTyped('')
    change([...chosen, ...userIds])
  }
  return (
    <div class="people-picker">
      {chosen.length > 0 && (
        <ul class="people-chosen" aria-label={tl().channel.chosen(chosen.length)}>
          {chosen.map((userId) => (
            <li key={userId}>
              <button
                type="button"
                class="button"
                aria-label={t().people.remove(userName(userId))}
                onClick={() => change(chosen.filter((id) => id !== userId))}
              >
                <bdi>{userName(userId)}</bdi>
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={field}
        class="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (found[0] !== undefined) choose(found[0])
        }}
      />
      {typed.trim() !== '' && found.length === 0 && <p class="note">{t().nav.noMatch}</p>}
      <ul>
        {found.map((one) => (
          <li key={one.key}>
            <button type="button" class="person-row" onClick={() => choose(one)}>
              {one.key.startsWith('u') ? <Avatar userId={one.userIds[0] ?? 0} size={24} /> : <Icon name="person" />}
              <bdi>{one.name}</bdi>
              {one.key.startsWith('u') && <PersonMark userId={one.userIds[0] ?? 0} />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function findPeople(query: string, isOut: (userId: number) => boolean): readonly PeopleMatch[] {
  if (query === '') return []
  const isIn = (userId: number): boolean => !isOut(userId) && userById(userId)?.is_active === true
  const people = activePeople.value
    .filter(({ user_id }) => isIn(user_id))
    .map(({ user_id, full_name }) => ({ key: `u${user_id}`, name: full_name, userIds: [user_id] }))
  const all = ownGroups.value
    .map((group) => ({ group, userIds: membersOf(group).filter(isIn) }))
    .filter(({ userIds }) => userIds.length > 0)
    .map(({ group, userIds }) => ({
      key: `g${group.id}`,
      name: tl().channel.groupOf(group.name, userIds.length),
      userIds,
    }))
  return rankItems([...people, ...all], query, ({ name }) => name)
}
