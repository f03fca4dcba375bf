import { useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { FormDialog } from '../../../platform/overlay/form-dialog.tsx'
import { NameField } from '../../../platform/overlay/name-field.tsx'
import { change, create } from '../actions.ts'
import { editing } from '../open.ts'

function close(): void {
  editing.value = undefined
}

export function FolderDialog() {
  const { folder, made } = editing.value ?? {}
  const [name, setName] = useState(folder?.name ?? '')
  const [description, setDescription] = useState(folder?.description ?? '')
  const save = async (): Promise<void> => {
    const given = { name: name.trim(), description: description.trim() }
    if (folder !== undefined) await change(folder, given)
    else {
      const id = await create(given)
      made?.(id)
    }
    close()
  }
  return (
    <FormDialog
      title={folder === undefined ? t().folders.create : t().folders.edit}
      action={folder === undefined ? t().folders.create : t().folders.save}
      save={save}
      onClose={close}
    >
      <NameField
        label={t().channel.name}
        value={name}
        maxLength={store().read('max_channel_folder_name_length')}
        onChange={setName}
      />
      <label class="field">
        <span>{t().channel.description}</span>
        <input
          class="input"
          maxLength={store().read('max_channel_folder_description_length')}
          value={description}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </label>
    </FormDialog>
  )
}
