import { call } from '@parley/client'
import { customEmoji as contract } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Rows } from '../../../platform/list/rows.tsx'
import { EmptyState } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { FileButton } from '../../../platform/overlay/file-button.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { coversCurrentUser } from '../../groups/state.ts'
import { isAdministrator, ownId, userName } from '../../users/state.ts'
import './custom-emoji.css'

type Emoji = contract.CustomEmoji

const ROW_HEIGHT_PIXELS = 48

export function CustomEmoji() {
  const [filter, setFilter] = useState('')
  const [refusal, run] = useRefusal()
  const all = Object.values(store().read('realm_emoji')).filter(({ deactivated }) => !deactivated)
  const mayAdd = coversCurrentUser(store().read('realm_can_add_custom_emoji_group'))
  const query = filter.trim().toLowerCase()
  const shown = all
    .filter(({ name }) => name.includes(query))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  const remove = ({ name }: Emoji): void =>
    askConfirmation({
      text: ta().content.removeEmojiSure(`:${name}:`),
      action: ta().content.removeEmoji(`:${name}:`),
      run: () => void run(async () => call(SESSION, contract.deactivateCustomEmoji, { emoji_name: name })),
    })
  return (
    <div class="form">
      {mayAdd ? <AddEmojiForm /> : <p class="note">{ta().content.mayNotAddEmoji}</p>}
      {all.length === 0 ? (
        <EmptyState icon="smile" title={ta().content.noEmoji} more={ta().content.noEmojiMore} />
      ) : (
        <FilterField label={ta().content.findEmoji} value={filter} onChange={setFilter} />
      )}
      {refusal}
      {all.length > 0 && shown.length === 0 && <p class="note">{t().nav.noMatch}</p>}
      <Rows things={shown} keyOf={({ id }) => Number(id)} height={ROW_HEIGHT_PIXELS} label={ta().content.ownEmoji}>
        {(emoji) => (
          <span class="people-row">
            <img class="emoji-picture" src={picturePathOf(emoji)} alt="" />
            <bdi class="listed-name">{`:${emoji.name}:`}</bdi>
            <bdi class="note">{emoji.author_id === null ? '' : userName(emoji.author_id)}</bdi>
            {(isAdministrator() || (mayAdd && emoji.author_id === ownId())) && (
              <button
                class="icon-button"
                aria-label={ta().content.removeEmoji(`:${emoji.name}:`)}
                onClick={() => remove(emoji)}
              >
                <Icon name="delete" size={16} />
              </button>
            )}
          </span>
        )}
      </Rows>
    </div>
  )
}

function picturePathOf({ source_url: moving, still_url: still }: Emoji): string {
  return new URL(still ?? moving, location.href).pathname
}

function AddEmojiForm() {
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const upload = async (file: File): Promise<void> => {
    setBusy(true)
    const given = name.trim() === '' ? emojiNameFromFile(file) : name.trim()
    if (await run(async () => call(SESSION, contract.uploadCustomEmoji, { emoji_name: given }, { file }))) setName('')
    setBusy(false)
  }
  return (
    <div class="form">
      <div class="listed-add">
        <input
          class="input"
          aria-label={ta().content.emojiName}
          placeholder={ta().content.emojiName}
          autocapitalize="none"
          autocomplete="off"
          maxLength={contract.MAX_EMOJI_NAME_LENGTH}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <FileButton
          label={ta().content.uploadEmoji}
          accept="image/*"
          isDisabled={isBusy}
          onFile={(file) => void upload(file)}
        />
      </div>
      <p class="note">{ta().content.emojiNameMore}</p>
      {refusal}
    </div>
  )
}

function emojiNameFromFile(file: File): string {
  const name = file.name.toLowerCase().replace(/\.[^.]*$/, '')
  return name
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .replace(/[_-]+$/, '')
    .slice(0, contract.MAX_EMOJI_NAME_LENGTH)
}
