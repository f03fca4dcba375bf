import { groups as contract } from '@parley/server/contract'
import { keysOf } from '@parley/server/kernel/keys'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { Tabs } from '../../../platform/overlay/tabs.tsx'
import { useSavedChoice } from '../../../platform/settings/choosing.tsx'
import { TextField } from '../../../platform/settings/text-editor.tsx'
import { AddPeopleForm, PeopleRows, RemoveButton } from '../../users/parts/people-list.tsx'
import { ownId, userById, userName } from '../../users/state.ts'
import {
  changeGroupDescription,
  grantPermission,
  renameGroup,
  setGroupDeactivated,
  addToGroup,
  removeFromGroup,
  type GroupContents,
} from '../actions.ts'
import { holderNames, type Holders } from '../holders.ts'
import { useGroup, groupName, isSubgroupOf } from '../members.ts'
import { mayManageGroup, mayAddMembers, mayJoinGroup, mayLeaveGroup, mayRemoveMembers } from '../rights.ts'
import { PermissionGrant } from './grant.tsx'

type Group = contract.UserGroup

interface GroupDialogProps {
  readonly id: number
  readonly onClose: () => void
}

export function GroupDialog({ id, onClose }: GroupDialogProps) {
  const group = useGroup(id)
  if (group === undefined) return null
  const tabs = [
    { id: 'members', title: ta().groups.members, show: () => <GroupMembers id={id} /> },
    { id: 'about', title: ta().groups.about, show: () => <About id={id} /> },
    { id: 'permissions', title: ta().groups.permissions, show: () => <Permissions id={id} /> },
  ]
  return (
    <Dialog title={group.name} onClose={onClose}>
      <Tabs label={group.name} tabs={tabs} />
    </Dialog>
  )
}

interface PartProps {
  readonly id: number
}

function About({ id }: PartProps) {
  const [refusal, run] = useRefusal()
  const group = useGroup(id)
  if (group === undefined) return null
  const isFixed = !mayManageGroup(group)
  return (
    <div class="form">
      <TextField
        label={ta().groups.name}
        value={group.name}
        maxLength={contract.MAX_GROUP_NAME_LENGTH}
        isRequired
        isFixed={isFixed}
        save={async (text) => renameGroup(group, text)}
      />
      <TextField
        label={ta().groups.description}
        value={group.description}
        maxLength={contract.MAX_GROUP_DESCRIPTION_LENGTH}
        isLong
        isFixed={isFixed}
        save={async (text) => changeGroupDescription(group, text)}
      />
      {refusal}
      {isFixed ? (
        <p class="note">{ta().groups.fixed}</p>
      ) : (
        <div class="dialog-actions">
          <button
            class={group.deactivated ? 'button' : 'button danger'}
            onClick={() => void run(async () => setGroupDeactivated(group, !group.deactivated))}
          >
            {group.deactivated ? ta().groups.reactivate : ta().groups.deactivate}
          </button>
        </div>
      )}
    </div>
  )
}

function Permissions({ id }: PartProps) {
  const group = useGroup(id)
  if (group === undefined) return null
  const names: readonly contract.GroupPermission[] = keysOf(ta().groups.what)
  // Copies the group, because events change it in place, and rows rerender only for new objects.
  const current = { ...group }
  return (
    <div class="form">
      {!mayManageGroup(group) && <p class="note">{ta().groups.fixed}</p>}
      {names.map((name) => (
        <Permission key={name} group={current} name={name} value={group[name]} />
      ))}
    </div>
  )
}

/** Permissions for a group that imply others. Managers have all of them except mentioning. */
const IMPLYING_PERMISSIONS: Readonly<Record<contract.GroupPermission, readonly contract.GroupPermission[]>> = {
  can_manage_group: [],
  can_add_members_group: ['can_manage_group'],
  can_remove_members_group: ['can_manage_group'],
  can_join_group: ['can_add_members_group', 'can_manage_group'],
  can_leave_group: ['can_remove_members_group', 'can_manage_group'],
  can_mention_group: [],
}

function implicitHolders(group: Group, name: contract.GroupPermission): Holders {
  const managers = name === 'can_mention_group' ? [] : [store().read('realm_can_manage_all_groups')]
  return { anywhere: [...managers, ...IMPLYING_PERMISSIONS[name].map((one) => group[one])], inChannel: [] }
}

interface PermissionProps {
  readonly group: Group
  readonly name: contract.GroupPermission
  readonly value: contract.GroupSettingValue
}

function Permission({ group, name, value }: PermissionProps) {
  const what = ta().groups.what[name]
  const { said, refusal, choose } = useSavedChoice(() => ta().grants.who(what), true)
  const rule = store().read('server_supported_permission_settings').group[name]
  if (rule === undefined) return null
  return (
    <div>
      <PermissionGrant
        name={name}
        rule={rule}
        what={what}
        value={value}
        others={implicitHolders(group, name)}
        isFixed={!mayManageGroup(group)}
        onChange={async (chosen, before) =>
          choose(
            async () => grantPermission(group, name, chosen),
            async () => grantPermission(group, name, before),
            ta().grants.holders(holderNames(before)),
          )
        }
      />
      {said}
      {refusal}
    </div>
  )
}

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

function GroupMembers({ id }: { readonly id: number }) {
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
        {!group.deactivated && <JoinOrLeaveButton group={group} run={run} />}
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
        <AddPeopleForm
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

function JoinOrLeaveButton({ group, run }: RunProps) {
  const isIn = group.members.includes(ownId())
  if (!(isIn ? mayLeaveGroup(group) : mayJoinGroup(group))) return null
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
      !one.deactivated && !GROUPS_WITHOUT_USERS.includes(one.name) && !inner.includes(one) && !isSubgroupOf(group, one),
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
