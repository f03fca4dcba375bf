import { call } from '@parley/client'
import { organizations } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { FileButton } from '../../../platform/overlay/file-button.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import './pictures.css'

export function IconPart() {
  return (
    <Picture
      title={ta().organization.icon}
      url={store().read('realm_icon_url')}
      isUploaded={store().read('realm_icon_source') === 'U'}
      upload={async (file) => call(SESSION, organizations.uploadIcon, {}, { file })}
      remove={async () => call(SESSION, organizations.removeIcon, {})}
    />
  )
}

export function LogoPart() {
  return (
    <Picture
      title={ta().organization.logo}
      url={store().read('realm_logo_url')}
      isUploaded={store().read('realm_logo_source') === 'U'}
      ground="light"
      {...logoActions(false)}
    />
  )
}

export function NightLogoPart() {
  return (
    <Picture
      title={ta().organization.nightLogo}
      url={store().read('realm_night_logo_url')}
      isUploaded={store().read('realm_night_logo_source') === 'U'}
      ground="dark"
      {...logoActions(true)}
    />
  )
}

function logoActions(night: boolean): Pick<PictureProps, 'upload' | 'remove'> {
  return {
    upload: async (file) => call(SESSION, organizations.uploadLogo, { night }, { file }),
    remove: async () => call(SESSION, organizations.removeLogo, { night }),
  }
}

interface PictureProps {
  readonly title: string
  readonly url: string
  readonly isUploaded: boolean
  readonly ground?: 'light' | 'dark'
  readonly upload: (file: File) => Promise<unknown>
  readonly remove: () => Promise<unknown>
}

function Picture({ title, url, isUploaded, ground, upload, remove }: PictureProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, ask] = useRefusal()
  const run = async (request: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await ask(request)
    setBusy(false)
  }
  return (
    <div class="realm-picture">
      <span class="realm-picture-ground" data-ground={ground}>
        <img src={new URL(url, location.href).pathname} alt="" />
      </span>
      <FileButton
        label={ta().organization.upload(title)}
        text={ta().organization.uploadShort}
        accept="image/*"
        crop={ground === undefined ? 'square' : 'own'}
        isDisabled={isBusy}
        onFile={(file) => void run(async () => upload(file))}
      />
      {isUploaded && (
        <button
          class="button"
          aria-label={ta().organization.remove(title)}
          disabled={isBusy}
          onClick={() => void run(remove)}
        >
          {ta().organization.removeShort}
        </button>
      )}
      {refusal}
    </div>
  )
}
