import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { FolderSelect } from '../../channel-folders/parts/folder-select.tsx'
import { PeoplePicker } from '../../users/parts/people-picker.tsx'
import { ownId } from '../../users/state.ts'
import { createChannel } from '../actions.ts'
import { isNewChannelOpen } from '../views.ts'
import { creatableChannelKinds, type ChannelKind } from '../rights.ts'

function closeNewChannel(): void {
  isNewChannelOpen.value = false
}

export function NewChannel() {
  const kinds = creatableChannelKinds()
  const [kind, setKind] = useState<ChannelKind | undefined>(kinds[0])
  const [folderId, setFolderId] = useState<number | null>(null)
  const [others, setOthers] = useState<readonly number[]>([])
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const submit = async (data: FormData): Promise<void> => {
    if (kind === undefined) return
    setBusy(true)
    const given = { name: textIn(data, 'name'), description: textIn(data, 'description'), kind }
    const isMade = await run(async () => createChannel({ ...given, folderId, people: [ownId(), ...others] }))
    if (isMade) closeNewChannel()
    else setBusy(false)
  }
  return (
    <Dialog title={t().channel.create} onClose={closeNewChannel}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <label class="field">
          <span>{tl().channel.name}</span>
          <input class="input" name="name" maxLength={store().read('max_stream_name_length')} required autofocus />
        </label>
        <label class="field">
          <span>{tl().channel.description}</span>
          <input class="input" name="description" maxLength={store().read('max_stream_description_length')} />
        </label>
        <fieldset class="kinds">
          <legend>{tl().channel.kind}</legend>
          {kinds.map((one) => (
            <label key={one} class="check">
              <input type="radio" name="kind" checked={one === kind} onChange={() => setKind(one)} />
              <span>{tl().channel.kinds[one]}</span>
            </label>
          ))}
        </fieldset>
        <FolderSelect value={folderId} onChange={setFolderId} />
        <div class="field">
          <span>{tl().channel.whoToo}</span>
          <PeoplePicker
            label={tl().channel.findPerson}
            chosen={others}
            isThere={(id) => id === ownId()}
            onChange={setOthers}
          />
        </div>
        {refusal}
        <DialogActions action={t().channel.create} isDisabled={isBusy} onCancel={closeNewChannel} />
      </form>
    </Dialog>
  )
}

function textIn(data: FormData, field: string): string {
  const text = data.get(field)
  return typeof text === 'string' ? text.trim() : ''
}
