import { groups as contract } from '@parley/server/contract'
import { keysOf } from '@parley/server/kernel/keys'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { Tabs } from '../../../platform/overlay/tabs.tsx'
import { useChoosing } from '../../../platform/settings/choosing.tsx'
import { TextField } from '../../../platform/settings/text-editor.tsx'
import { changeGroupDescription, grantPermission, renameGroup, setGroupDeactivated } from '../actions.ts'
import type { Holders } from '../holders.ts'
import { useGroup } from '../members.ts'
import { mayManage } from '../rights.ts'
import { Grant } from './grant.tsx'
import { GroupMembers } from './group-members.tsx'

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
  const isFixed = !mayManage(group)
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
      {!mayManage(group) && <p class="note">{ta().groups.fixed}</p>}
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

function otherHolders(group: Group, name: contract.GroupPermission): Holders {
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
  const { said, refusal, choose } = useChoosing(() => ta().grants.who(what))
  const rule = store().read('server_supported_permission_settings').group[name]
  if (rule === undefined) return null
  return (
    <div>
      <Grant
        name={name}
        rule={rule}
        what={what}
        value={value}
        others={otherHolders(group, name)}
        isFixed={!mayManage(group)}
        onChange={(chosen) =>
          void choose(
            async () => grantPermission(group, name, chosen),
            async () => grantPermission(group, name, value),
          )
        }
      />
      {said}
      {refusal}
    </div>
  )
}
