import type { groups as contract } from '@parley/server/contract'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { AddPeople, PeopleRows, RemoveButton } from '../../users/parts/people-list.tsx'
import { ownId, userById, userName } from '../../users/state.ts'
import { addToGroup, removeFromGroup, type GroupContents } from '../actions.ts'
import { groupName, isInside, useGroup } from '../members.ts'
import { mayAddMembers, mayJoin, mayLeave, mayRemoveMembers } from '../rights.ts'

type Group = contract.UserGroup

/** Names of groups that never contain users. */
const GROUPS_WITHOUT_USERS: readonly string[] = ['role:nobody', 'role:internet']

interface MemberActions {
  readonly group: Group
  readonly canAdd: boolean
  readonly canRemove: boolean
  /** @returns whether the server accepted the change */
  readonly put: (inner: GroupContents, text: string) => Promise<boolean>
  readonly take: (inner: GroupContents, name: string) => void
}

export function GroupMembers({ id }: { readonly id: number }) {
  const [refusal, run] = useRefusal()
  const group = useGroup(id)
  if (group === undefined) return null
  const changing: MemberActions = {
    group,
    canAdd: !group.deactivated && mayAddMembers(group),
    canRemove: !group.deactivated && mayRemoveMembers(group),
    put: async (inner, text) => run(async () => addToGroup(group, inner, text)),
    take: (inner, name) =>
      void run(async () => removeFromGroup(group, inner, ta().groups.wasRemoved(name, group.name))),
  }
  return (
    <div class="form">
      <People {...changing}>
        {!group.deactivated && <OwnMembership group={group} run={run} />}
        {refusal}
      </People>
      <Groups {...changing} />
    </div>
  )
}

function People({
  group,
  canAdd,
  canRemove,
  put,
  take,
  children,
}: MemberActions & { readonly children: ComponentChildren }) {
  const people = group.members
    .filter((userId) => userById(userId)?.is_active === true)
    .toSorted((one, other) => userName(one).localeCompare(userName(other)))
  return (
    <>
      {canAdd && (
        <AddPeople
          label={ta().groups.addPeople}
          action={ta().groups.add}
          isThere={(userId) => group.members.includes(userId)}
          add={async (chosen) => put({ people: chosen }, ta().groups.wereAdded(chosen.length, group.name))}
        />
      )}
      {children}
      {people.length === 0 && <p class="note">{ta().groups.noMembers}</p>}
      <div class="people-list is-fitted">
        <PeopleRows
          label={ta().groups.members}
          userIds={people}
          mayRemove={() => canRemove}
          remove={(userId) => take({ people: [userId] }, userName(userId))}
        />
      </div>
    </>
  )
}

interface RunProps {
  readonly group: Group
  readonly run: ReturnType<typeof useRefusal>[1]
}

function OwnMembership({ group, run }: RunProps) {
  const isIn = group.members.includes(ownId())
  if (!(isIn ? mayLeave(group) : mayJoin(group))) return null
  const inner = { people: [ownId()] }
  const change = async (): Promise<void> =>
    isIn
      ? removeFromGroup(group, inner, ta().groups.left(group.name))
      : addToGroup(group, inner, ta().groups.joined(group.name))
  return (
    <div>
      <button class="button" onClick={() => void run(change)}>
        {isIn ? ta().groups.leave : ta().groups.join}
      </button>
    </div>
  )
}

function Groups({ group, canAdd, canRemove, put, take }: MemberActions) {
  const [chosen, setChosen] = useState('')
  const all = store().read('realm_user_groups')
  const inner = all.filter(({ id }) => group.direct_subgroup_ids.includes(id))
  const others = all.filter(
    (one) =>
      !one.deactivated && !GROUPS_WITHOUT_USERS.includes(one.name) && !inner.includes(one) && !isInside(group, one),
  )
  if (inner.length === 0 && !canAdd) return null
  const add = async (): Promise<void> => {
    const one = others.find(({ id }) => String(id) === chosen)
    if (one === undefined) return
    if (await put({ groups: [one.id] }, ta().groups.wasAdded(groupName(one), group.name))) setChosen('')
  }
  return (
    <section class="form">
      <h3>{ta().groups.inIt}</h3>
      <ul class="listed" aria-label={ta().groups.inIt}>
        {inner.map((one) => (
          <li key={one.id} class="listed-row">
            <bdi class="listed-name">{groupName(one)}</bdi>
            {canRemove && (
              <RemoveButton name={groupName(one)} onRemove={() => take({ groups: [one.id] }, groupName(one))} />
            )}
          </li>
        ))}
      </ul>
      {canAdd && (
        <form
          class="listed-add"
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <select
            class="input"
            required
            aria-label={ta().groups.addGroup}
            value={chosen}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            <option value="">{ta().groups.addGroup}</option>
            {others.map((one) => (
              <option key={one.id} value={String(one.id)}>
                {groupName(one)}
              </option>
            ))}
          </select>
          <button class="button" type="submit">
            {ta().groups.addIt}
          </button>
        </form>
      )}
    </section>
  )
}
