import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { FormDialog } from '../../../platform/overlay/form-dialog.tsx'
import { NameField } from '../../../platform/overlay/name-field.tsx'
import { create } from '../actions.ts'
import { OUTGOING, type Kind } from '../state.ts'
import { AddressField, FormSelect } from './service.tsx'

interface NewBotProps {
  readonly kinds: readonly Kind[]
  readonly onClose: (id?: number) => void
}

export function NewBot({ kinds, onClose }: NewBotProps) {
  const [name, setName] = useState('')
  const [shortName, setShortName] = useState('')
  const [kind, setKind] = useState<Kind | undefined>(kinds[0])
  const [address, setAddress] = useState('')
  const [form, setForm] = useState(1)
  const save = async (): Promise<void> => {
    if (kind === undefined) return
    const service = kind === OUTGOING ? { payload_url: address.trim(), interface_type: form } : {}
    onClose(await create({ full_name: name.trim(), short_name: shortName.trim(), bot_type: kind, ...service }))
  }
  return (
    <FormDialog title={ta().bots.create} action={ta().bots.create} save={save} onClose={() => onClose()}>
      <NameField label={ta().bots.name} value={name} maxLength={users.MAX_FULL_NAME} onChange={setName} />
      <label class="field">
        <span>{ta().bots.shortName}</span>
        <input
          class="input"
          required
          autocapitalize="none"
          autocomplete="off"
          value={shortName}
          onInput={({ currentTarget }) => setShortName(currentTarget.value)}
        />
        <span class="note">
          {ta().bots.shortNameMore(`${shortName.trim() || '…'}-bot@${store().read('realm_bot_domain')}`)}
        </span>
      </label>
      <label class="field">
        <span>{ta().bots.kind}</span>
        <select
          class="input"
          value={String(kind)}
          onChange={({ currentTarget }) => setKind(kinds.find((one) => String(one) === currentTarget.value))}
        >
          {kinds.map((one) => (
            <option key={one} value={String(one)}>
              {ta().bots.kinds[one]}
            </option>
          ))}
        </select>
      </label>
      {kind === OUTGOING && (
        <>
          <AddressField value={address} onChange={setAddress} />
          <FormSelect value={form} onChange={setForm} />
        </>
      )}
    </FormDialog>
  )
}
