import { groups as contract } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { OpenedList } from '../../../platform/list/opened-list.tsx'
import { EmptyState } from '../../../platform/list/states.tsx'
import { FormDialog, NameField } from '../../../platform/overlay/form-dialog.tsx'
import { PeoplePicker } from '../../users/parts/people-picker.tsx'
import { createGroup } from '../actions.ts'
import { membersOf } from '../members.ts'
import { mayCreateGroups } from '../rights.ts'
import { GroupDialog } from './group-dialog.tsx'

const ROW_HEIGHT_PIXELS = 48

export function Groups() {
  const [filter, setFilter] = useState('')
  const all = store()
    .read('realm_user_groups')
    .filter(({ is_system_group: isOfEvery }) => !isOfEvery)
  const query = caseKey(filter.trim())
  const shown = all
    .filter(({ name }) => caseKey(name).includes(query))
    .toSorted((one, other) => Number(one.deactivated) - Number(other.deactivated) || one.name.localeCompare(other.name))
  return (
    <OpenedList
      label={ta().groups.all}
      things={shown}
      idOf={({ id }) => id}
      height={ROW_HEIGHT_PIXELS}
      row={(group) => (
        <>
          <Icon name="person" />
          <bdi class="listed-name">{group.name}</bdi>
          <span class="note">
            {group.deactivated
              ? ta().groups.deactivated
              : ta().groups.size(membersOf(group).length, group.direct_subgroup_ids.length)}
          </span>
        </>
      )}
      filter={<FilterField label={ta().groups.find} value={filter} onChange={setFilter} />}
      create={mayCreateGroups() ? ta().groups.create : undefined}
      making={(onClose) => <NewGroup onClose={onClose} />}
      opened={(id, onClose) => <GroupDialog key={id} id={id} onClose={onClose} />}
    >
      {all.length === 0 && <EmptyState icon="person" title={ta().groups.none} more={ta().groups.noneMore} />}
      {all.length > 0 && shown.length === 0 && <p class="note">{t().nav.noMatch}</p>}
    </OpenedList>
  )
}

function NewGroup({ onClose }: { readonly onClose: (id?: number) => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [members, setMembers] = useState<readonly number[]>([])
  return (
    <FormDialog
      title={ta().groups.create}
      action={ta().groups.create}
      save={async () => onClose(await createGroup({ name: name.trim(), description: description.trim(), members }))}
      onClose={() => onClose()}
    >
      <NameField label={ta().groups.name} value={name} maxLength={contract.MAX_GROUP_NAME_LENGTH} onChange={setName} />
      <label class="field">
        <span>{ta().groups.description}</span>
        <input
          class="input"
          maxLength={contract.MAX_GROUP_DESCRIPTION_LENGTH}
          value={description}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </label>
      <div class="field">
        <span>{ta().groups.members}</span>
        <PeoplePicker label={ta().groups.addPeople} chosen={members} isThere={() => false} onChange={setMembers} />
      </div>
    </FormDialog>
  )
}
