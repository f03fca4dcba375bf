import { users } from '@parley/server/contract'
import { useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { isAdministrator, ownId, userName } from '../state.ts'
import { changeName, removePicture, uploadPicture } from '../actions.ts'
import { Avatar } from './avatar.tsx'
import { TextEditor } from './text-editor.tsx'

/** Where one changes one's name, or learns why one cannot. */
export function NamePart() {
  if (store().read('realm_name_changes_disabled') && !isAdministrator()) {
    return (
      <p>
        <bdi>{userName(ownId())}</bdi> <span class="note">{t().people.nameIsFixed}</span>
      </p>
    )
  }
  return (
    <TextEditor
      label={t().people.fullName}
      value={userName(ownId())}
      maxLength={users.MAX_FULL_NAME}
      isRequired
      save={changeName}
    />
  )
}

/** Where one uploads a picture of oneself, or goes back to the one that is drawn. */
export function PicturePart() {
  const input = useRef<HTMLInputElement>(null)
  const [refusal, ask] = useRefusal()
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await ask(work)
    setBusy(false)
  }
  const isFixed =
    store().read('server_avatar_changes_disabled') ||
    (store().read('realm_avatar_changes_disabled') && !isAdministrator())
  return (
    <div class="own-picture">
      <Avatar userId={ownId()} size={64} />
      {isFixed ? (
        <span class="note">{t().people.pictureIsFixed}</span>
      ) : (
        <>
          <input
            ref={input}
            class="visually-hidden"
            type="file"
            accept="image/*"
            tabIndex={-1}
            aria-label={t().people.upload}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              currentTarget.value = ''
              if (file !== undefined) void run(async () => uploadPicture(file))
            }}
          />
          <button class="button" disabled={isBusy} onClick={() => input.current?.click()}>
            {t().people.upload}
          </button>
          {store().read('avatar_source') === 'U' && (
            <button class="button" disabled={isBusy} onClick={() => void run(removePicture)}>
              {t().people.removePicture}
            </button>
          )}
        </>
      )}
      {refusal}
    </div>
  )
}
