import { useState } from 'preact/hooks'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'

interface SecretProps {
  readonly texts: {
    readonly title: string
    readonly show: string
    readonly copy: string
    readonly renew: string
    readonly renewSure: string
    readonly more?: string
  }
  readonly ask: () => Promise<string>
  readonly renew: () => Promise<string>
}

export function Secret({ texts, ask, renew }: SecretProps) {
  const [secret, setSecret] = useState<string>()
  const [refusal, run] = useRefusal()
  const show = (asked: () => Promise<string>): void => void run(async () => setSecret(await asked()))
  const copyIt = async (): Promise<void> => {
    if (secret !== undefined) await copyWithToast(secret)
  }
  return (
    <div class="field">
      <span>{texts.title}</span>
      {secret !== undefined && <code>{secret}</code>}
      {texts.more !== undefined && <span class="note">{texts.more}</span>}
      <div class="own-picture">
        {secret === undefined ? (
          <button class="button" type="button" onClick={() => show(ask)}>
            {texts.show}
          </button>
        ) : (
          <button class="button" type="button" onClick={() => void copyIt()}>
            {texts.copy}
          </button>
        )}
        <button
          class="button"
          type="button"
          onClick={() => askConfirmation({ text: texts.renewSure, action: texts.renew, run: () => show(renew) })}
        >
          {texts.renew}
        </button>
      </div>
      {refusal}
    </div>
  )
}
