import { groups as contract } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Rows } from '../../../platform/list/rows.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { Tabs } from '../../../platform/overlay/tabs.tsx'
import { useChoosing } from '../../../platform/settings/choosing.tsx'
import { TextEditor } from '../../../platform/settings/text-editor.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PeoplePicker } from '../../users/parts/people-picker.tsx'
import { ownId, userById, userName } from '../../users/state.ts'
import { describe, grant, putIn, rename, setDeactivated, takeOut } from '../actions.ts'
import { groupById, groupName, isInside } from '../members.ts'
import { mayAdd, mayJoin, mayLeave, mayManage, mayRemove } from '../rights.ts'
import { Grant } from './grant.tsx'

type Group = contract.UserGroup

const ROW_PIXELS = 40

/** Groups that hold no people of the organization. */
const HOLLOW: readonly string[] = ['role:nobody', 'role:internet']

interface GroupDialogProps {
  readonly id: number
  readonly onClose: () => void
}

/** A group: who is in it, what it is, and who may do what with it. */
export function GroupDialog({ id, onClose }: GroupDialogProps) {
  // Folds change a group in place.
  void store().read('realm_user_groups')
  const group = groupById(id)
  if (group === undefined) return null
  const tabs = [
    { id: 'members', title: ta().groups.members, show: () => <Members id={id} /> },
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

/** The group as it is now. */
function useGroup(id: number): Group | undefined {
  void store().read('realm_user_groups')
  return groupById(id)
}

function About({ id }: PartProps) {
  const [refusal, run] = useRefusal()
  const group = useGroup(id)
  if (group === undefined) return null
  const isFixed = !mayManage(group)
  return (
    <div class="form">
      <div class="field">
        <span>{ta().groups.name}</span>
        <TextEditor
          label={ta().groups.name}
          value={group.name}
          maxLength={contract.MAX_GROUP_NAME}
          isRequired
          isFixed={isFixed}
          save={async (text) => rename(group, text)}
        />
      </div>
      <div class="field">
        <span>{ta().groups.description}</span>
        <TextEditor
          label={ta().groups.description}
          value={group.description}
          maxLength={contract.MAX_GROUP_DESCRIPTION}
          isLong
          isFixed={isFixed}
          save={async (text) => describe(group, text)}
        />
      </div>
      {refusal}
      {isFixed ? (
        <p class="note">{ta().groups.fixed}</p>
      ) : (
        <div class="dialog-actions">
          <button
            class={group.deactivated ? 'button' : 'button danger'}
            onClick={() => void run(async () => setDeactivated(group, !group.deactivated))}
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
  // The keys of an object are texts.
  const names = Object.keys(ta().groups.what) as contract.GroupPermission[]
  return (
    <div class="form">
      {!mayManage(group) && <p class="note">{ta().groups.fixed}</p>}
      {names.map((name) => (
        <Permission key={name} group={group} name={name} value={group[name]} />
      ))}
    </div>
  )
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
        isFixed={!mayManage(group)}
        onChange={(chosen) =>
          void choose(
            async () => grant(group, name, chosen),
            async () => grant(group, name, value),
          )
        }
      />
      {said}
      {refusal}
    </div>
  )
}

/** Who is in a group themselves, and the groups in it; where one may, one adds and removes both, or joins and leaves. */
function Members({ id }: PartProps) {
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [refusal, run] = useRefusal()
  const group = useGroup(id)
  if (group === undefined) return null
  const own = ownId()
  const isIn = group.members.includes(own)
  const people = group.members
    .filter((userId) => userById(userId)?.is_active === true)
    .toSorted((one, other) => userName(one).localeCompare(userName(other)))
  const add = async (): Promise<void> => {
    const text = ta().groups.wereAdded(chosen.length, group.name)
    if (await run(async () => putIn(group, { people: chosen }, text))) setChosen([])
  }
  const remove = (userId: number): void =>
    void run(async () => takeOut(group, { people: [userId] }, ta().groups.wasRemoved(userName(userId), group.name)))
  const canChange = !group.deactivated
  return (
    <div class="form">
      {canChange && mayAdd(group) && (
        <div class="people-add">
          <PeoplePicker
            label={ta().groups.addPeople}
            chosen={chosen}
            isThere={(userId) => group.members.includes(userId)}
            onChange={setChosen}
          />
          {chosen.length > 0 && (
            <button class="button primary" onClick={() => void add()}>
              {ta().groups.add(chosen.length)}
            </button>
          )}
        </div>
      )}
      {canChange && <Own group={group} isIn={isIn} run={run} />}
      {refusal}
      <div class="people-list">
        <Rows things={people} keyOf={(userId) => userId} height={ROW_PIXELS} label={ta().groups.members}>
          {(userId) => (
            <span class="people-row">
              <Avatar userId={userId} size={24} />
              <bdi>{userName(userId)}</bdi>
              {canChange && mayRemove(group) && (
                <button
                  class="icon-button"
                  aria-label={t().people.remove(userName(userId))}
                  onClick={() => remove(userId)}
                >
                  <Icon name="close" size={16} />
                </button>
              )}
            </span>
          )}
        </Rows>
      </div>
      <Inner group={group} run={run} />
    </div>
  )
}

interface RunProps {
  readonly group: Group
  /** Asks the server for something, and says in place where it refuses. */
  readonly run: ReturnType<typeof useRefusal>[1]
}

/** Joins a group, or leaves it. */
function Own({ group, isIn, run }: RunProps & { readonly isIn: boolean }) {
  const inner = { people: [ownId()] }
  if (isIn)
    return mayLeave(group) ? (
      <button class="button" onClick={() => void run(async () => takeOut(group, inner, ta().groups.left(group.name)))}>
        {ta().groups.leave}
      </button>
    ) : null
  return mayJoin(group) ? (
    <button class="button" onClick={() => void run(async () => putIn(group, inner, ta().groups.joined(group.name)))}>
      {ta().groups.join}
    </button>
  ) : null
}

/** The groups in a group. */
function Inner({ group, run }: RunProps) {
  const [chosen, setChosen] = useState('')
  const all = store().read('realm_user_groups')
  const inner = all.filter(({ id }) => group.direct_subgroup_ids.includes(id))
  const others = all.filter(
    (one) => !one.deactivated && !HOLLOW.includes(one.name) && !inner.includes(one) && !isInside(group, one),
  )
  const canAdd = !group.deactivated && mayAdd(group)
  if (inner.length === 0 && !canAdd) return null
  const put = async (): Promise<void> => {
    const one = others.find(({ id }) => String(id) === chosen)
    if (one === undefined) return
    const text = ta().groups.wasAdded(groupName(one), group.name)
    if (await run(async () => putIn(group, { groups: [one.id] }, text))) setChosen('')
  }
  return (
    <section class="form">
      <h3>{ta().groups.inIt}</h3>
      <ul class="listed" aria-label={ta().groups.inIt}>
        {inner.map((one) => (
          <li key={one.id} class="listed-row">
            <bdi class="listed-name">{groupName(one)}</bdi>
            {!group.deactivated && mayRemove(group) && (
              <button
                class="icon-button"
                aria-label={t().people.remove(groupName(one))}
                onClick={() =>
                  void run(async () =>
                    takeOut(group, { groups: [one.id] }, ta().groups.wasRemoved(groupName(one), group.name)),
                  )
                }
              >
                <Icon name="close" size={16} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {canAdd && (
        <form
          class="listed-add"
          onSubmit={(event) => {
            event.preventDefault()
            void put()
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
