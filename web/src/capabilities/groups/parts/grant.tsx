import type { groups } from '@parley/server/contract'
import { useId, useRef, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { rankItems } from '../../../kernel/ranking.ts'
import type { GrantingRule } from '../../../kernel/state.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PersonMark } from '../../users/parts/signs.tsx'
import { activePeople, userName } from '../../users/state.ts'
import { namesOfHolders, valuesOfRole, type Holders } from '../holders.ts'
import { groupById, groupName, grantableGroups } from '../members.ts'
import './grant.css'

type GroupValue = groups.GroupSettingValue

interface PermissionGrantProps {
  readonly name: string
  readonly rule: GrantingRule
  /** Verb phrase that is shown after "can". */
  readonly what: string
  readonly value: GroupValue
  /** Whether the permission has an effect only for people in the channel. */
  readonly isInChannel?: boolean
  /** People who always have the permission, whatever the setting says. */
  readonly others?: Holders
  readonly isFixed: boolean
  readonly onChange: SaveValue
}

/** @param before the value that the new one replaces */
type SaveValue = (value: GroupValue, before: GroupValue) => Promise<void>

const CHOSEN_HOLDERS_OPTION = 'chosen'
const NO_ONE: Holders = { anywhere: [], inChannel: [] }

export function PermissionGrant({
  name,
  rule,
  what,
  value: saved,
  isInChannel = false,
  others = NO_ONE,
  isFixed,
  onChange,
}: PermissionGrantProps) {
  const [value, change] = useChoicesInTurn(saved, onChange)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const allowed = grantableGroups(name, rule)
  const isOne = typeof value === 'number' && allowed.some((group) => group.id === value)
  const isChosen = isOpen || !isOne
  const own = isInChannel ? 'inChannel' : 'anywhere'
  const holdersWith = (values: readonly GroupValue[]) =>
    namesOfHolders({ ...others, [own]: [...others[own], ...values] })
  const { names, isSingular } = holdersWith([value])
  const always = namesOfHolders(others)
  const hasOthers = always.names.length > 0
  const isIncluded = (values: readonly GroupValue[]): boolean =>
    holdersWith(values).names.join() === always.names.join()
  // "No one else" adds no one by intent, unless no other choice would add someone.
  const isWithoutEffect = isIncluded(isNobody(value) ? valuesOfRole('everyone') : [value])
  const alwaysText = isWithoutEffect ? ta().grants.alwaysAll : ta().grants.always
  const title = hasOthers ? ta().grants.whoElse(what) : ta().grants.who(what)
  const choose = (key: string): void => {
    setOpen(key === CHOSEN_HOLDERS_OPTION)
    if (key !== CHOSEN_HOLDERS_OPTION) change(Number(key))
  }
  return (
    <div class="grant">
      <p id={id}>
        <strong>
          <bdi>{ta().grants.holders(names)}</bdi>
        </strong>{' '}
        {ta().grants.may(what, isSingular)}
      </p>
      <div class="grant-choice">
        {hasOthers && <span class="note">{alwaysText(always.names, always.isSingular)}</span>}
        <select
          class="input"
          aria-label={title}
          aria-describedby={id}
          disabled={isFixed}
          value={isChosen ? CHOSEN_HOLDERS_OPTION : String(value)}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {allowed.map((group) => (
            <option key={group.id} value={String(group.id)}>
              {hasOthers && isNobody(group.id) ? tl().groups.noOneElse : groupName(group)}
            </option>
          ))}
          {(isChosen || !rule.require_system_group) && (
            <option value={CHOSEN_HOLDERS_OPTION}>{ta().grants.chosen}</option>
          )}
        </select>
      </div>
      {isChosen && <ChosenHolders title={title} allowed={allowed} value={value} isFixed={isFixed} onChange={change} />}
    </div>
  )
}

function isNobody(value: GroupValue): boolean {
  return typeof value === 'number' && groupById(value)?.name === 'role:nobody'
}

/** Shows each choice at once and saves the choices in turn, so that each builds on the one before. */
function useChoicesInTurn(saved: GroupValue, save: SaveValue): [GroupValue, (value: GroupValue) => void] {
  const [chosen, setChosen] = useState<GroupValue>()
  const saving = useRef(Promise.resolve())
  const shown = chosen ?? saved
  const change = (value: GroupValue): void => {
    setChosen(value)
    const turn = saving.current.then(async () => save(value, shown))
    saving.current = turn
    void turn.then(() => {
      if (saving.current === turn) setChosen(undefined)
    })
  }
  return [shown, change]
}

interface ChosenHoldersProps {
  readonly title: string
  readonly allowed: readonly groups.UserGroup[]
  readonly value: GroupValue
  readonly isFixed: boolean
  readonly onChange: (value: GroupValue) => void
}

interface Holder {
  readonly key: string
  readonly name: string
  readonly changed: GroupValue
  readonly userId?: number
}

function ChosenHolders({ title, allowed, value, isFixed, onChange }: ChosenHoldersProps) {
  const [typed, setTyped] = useState('')
  const holders = currentHolders(value)
  const found =
    typed.trim() === '' ? [] : rankItems(addableHolders(value, allowed), typed.trim().toLowerCase(), ({ name }) => name)
  const choose = ({ changed }: Holder): void => {
    setTyped('')
    onChange(changed)
  }
  return (
    <div class="people-picker">
      <ul class="people-chosen" aria-label={title}>
        {holders.map((holder) => (
          <li key={holder.key}>
            <button
              type="button"
              class="button"
              disabled={isFixed}
              aria-label={t().people.remove(holder.name)}
              onClick={() => choose(holder)}
            >
              <bdi>{holder.name}</bdi>
              {!isFixed && <Icon name="close" size={14} />}
            </button>
          </li>
        ))}
      </ul>
      {!isFixed && (
        <input
          class="input"
          type="search"
          aria-label={ta().grants.add(title)}
          placeholder={ta().grants.addPlaceholder}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (found[0] !== undefined) choose(found[0])
          }}
        />
      )}
      {typed.trim() !== '' && found.length === 0 && <p class="note">{t().nav.noMatch}</p>}
      {found.length > 0 && (
        <ul>
          {found.map((holder) => (
            <li key={holder.key}>
              <button type="button" class="person-row" onClick={() => choose(holder)}>
                {holder.userId === undefined ? <Icon name="person" /> : <Avatar userId={holder.userId} size={24} />}
                <bdi>{holder.name}</bdi>
                {holder.userId !== undefined && <PersonMark userId={holder.userId} />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function toMembersAndSubgroups(value: GroupValue): Exclude<GroupValue, number> {
  return typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value
}

function currentHolders(value: GroupValue): readonly Holder[] {
  const { direct_members: people, direct_subgroups: inner } = toMembersAndSubgroups(value)
  const idsWithout = (ids: readonly number[], id: number): number[] => ids.filter((one) => one !== id)
  return [
    ...inner.flatMap((id) => {
      const group = groupById(id)
      const changed = { direct_members: people, direct_subgroups: idsWithout(inner, id) }
      // Omits the "Nobody" group, because it contains no one.
      if (group === undefined || isNobody(id)) return []
      return [{ key: `g${id}`, name: groupName(group), changed }]
    }),
    ...people.map((id) => ({
      key: `u${id}`,
      name: userName(id),
      changed: { direct_members: idsWithout(people, id), direct_subgroups: inner },
    })),
  ]
}

function addableHolders(value: GroupValue, allowed: readonly groups.UserGroup[]): readonly Holder[] {
  const { direct_members: people, direct_subgroups: named } = toMembersAndSubgroups(value)
  const inner = named.filter((id) => !isNobody(id))
  return [
    ...allowed
      .filter(({ id }) => !isNobody(id) && !inner.includes(id))
      .map((group) => ({
        key: `g${group.id}`,
        name: groupName(group),
        changed: { direct_members: people, direct_subgroups: [...inner, group.id] },
      })),
    ...activePeople.value
      .filter(({ user_id: id }) => !people.includes(id))
      .map(({ user_id: id, full_name: name }) => ({
        key: `u${id}`,
        name,
        userId: id,
        changed: { direct_members: [...people, id], direct_subgroups: inner },
      })),
  ]
}
