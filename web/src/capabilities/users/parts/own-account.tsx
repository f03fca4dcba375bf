import { useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { FileButton } from '../../../platform/overlay/file-button.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { isAdministrator, ownId } from '../state.ts'
import { removePicture, uploadPicture } from '../actions.ts'
import { Avatar } from './avatar.tsx'

export function PicturePart() {
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
          <FileButton
            label={t().people.upload}
            accept="image/*"
            isDisabled={isBusy}
            onFile={(file) => void run(async () => uploadPicture(file))}
          />
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
