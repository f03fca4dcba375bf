import { useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Rows } from '../../../platform/list/rows.tsx'
import { shownName } from '../../muted-users/state.ts'
import { isMutedUser, userName } from '../state.ts'
import { Avatar } from './avatar.tsx'
import { PersonMark } from './signs.tsx'
import { PeoplePicker } from './people-picker.tsx'
import './people-list.css'

const ROW_HEIGHT_PIXELS = 40

interface AddPeopleFormProps {
  readonly label: string
  readonly action: (count: number) => string
  readonly isThere: (userId: number) => boolean
  readonly add: (userIds: readonly number[]) => Promise<boolean>
}

export function AddPeopleForm({ label, action, isThere, add }: AddPeopleFormProps) {
  const [chosen, setChosen] = useState<readonly number[]>([])
  const addChosen = async (): Promise<void> => {
    if (await add(chosen)) setChosen([])
  }
  return (
    <div class="people-add">
      <PeoplePicker label={label} chosen={chosen} isThere={isThere} onChange={setChosen} />
      {chosen.length > 0 && (
        <button class="button primary" onClick={() => void addChosen()}>
          {action(chosen.length)}
        </button>
      )}
    </div>
  )
}

interface PeopleRowsProps {
  readonly label: string
  readonly userIds: readonly number[]
  readonly mayRemove: (userId: number) => boolean
  readonly remove: (userId: number) => void
}

export function PeopleRows({ label, userIds, mayRemove, remove }: PeopleRowsProps) {
  return (
    <Rows things={userIds} keyOf={(userId) => userId} height={ROW_HEIGHT_PIXELS} label={label}>
      {(userId) => (
        <span class="people-row">
          <Avatar userId={userId} size={24} />
          <bdi>{userName(userId)}</bdi>
          <PersonMark userId={userId} />
          {mayRemove(userId) && <RemoveButton name={userName(userId)} onRemove={() => remove(userId)} />}
        </span>
      )}
    </Rows>
  )
}

/** Lists names in alphabetical order, without those of muted people. */
export function PeopleNames({ userIds }: { readonly userIds: readonly number[] }) {
  const people = userIds.map((id) => ({ id, name: shownName(id) }))
  return (
    <ul>
      {people
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map(({ id, name }) => (
          <li key={id} class="browse-row">
            {isMutedUser(id) ? <Icon name="mute" size={24} /> : <Avatar userId={id} size={24} />}
            <bdi>{name}</bdi>
          </li>
        ))}
    </ul>
  )
}

interface RemoveButtonProps {
  readonly name: string
  readonly onRemove: () => void
}

export function RemoveButton({ name, onRemove }: RemoveButtonProps) {
  return (
    <button class="icon-button" type="button" aria-label={t().people.remove(name)} onClick={onRemove}>
      <Icon name="close" size={16} />
    </button>
  )
}
