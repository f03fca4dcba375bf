import { bots } from '@parley/server/contract'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { TextEditor } from '../../../platform/settings/text-editor.tsx'
import {
  replaceServiceToken,
  changeWebhookFormat,
  changeWebhookUrl,
  fetchWebhookSettings,
  fetchWebhookSecret,
  type WebhookSettings,
} from '../actions.ts'
import type { Bot } from '../state.ts'

interface ServicePartProps {
  readonly bot: Bot
}

/** Shows an outgoing webhook bot's URL and token on request, because people may have to confirm their identity. */
export function ServicePart({ bot }: ServicePartProps) {
  const [shown, setShown] = useState<WebhookSettings>()
  const [refusal, run] = useRefusal()
  const group = useRef<HTMLDivElement>(null)
  // The focused button is gone. Focuses the group, because focusing a field would open a phone's keyboard.
  useLayoutEffect(() => group.current?.focus(), [shown === undefined])
  const load = async (): Promise<void> => setShown(await fetchWebhookSettings(bot))
  if (shown === undefined) {
    return (
      <div class="field">
        <span>{ta().bots.webhook}</span>
        <div>
          <button class="button" type="button" onClick={() => void run(load)}>
            {ta().bots.showWebhook}
          </button>
        </div>
        {refusal}
      </div>
    )
  }
  const { service, is_paused: isPaused } = shown
  const setUrl = async (url: string): Promise<void> => {
    await changeWebhookUrl(bot, url, service.interface)
    await load()
  }
  const setForm = async (form: number): Promise<void> => {
    await changeWebhookFormat(bot, form)
    setShown((before) => before && { ...before, service: { ...before.service, interface: form } })
  }
  return (
    <div class="form" role="group" aria-label={ta().bots.webhook} tabIndex={-1} ref={group}>
      <div class="field">
        <span>{ta().bots.payloadUrl}</span>
        <TextEditor
          label={ta().bots.payloadUrl}
          inputMode="url"
          value={service.base_url}
          maxLength={bots.MAX_PAYLOAD_URL_LENGTH}
          isRequired
          save={setUrl}
        />
        <span class="note">{ta().bots.payloadUrlMore}</span>
      </div>
      {isPaused && (
        <div class="field">
          <strong>{ta().bots.paused}</strong>
          <span class="note">{ta().bots.pausedMore}</span>
          <div>
            <button class="button" type="button" onClick={() => void run(async () => setUrl(service.base_url))}>
              {ta().bots.resume}
            </button>
          </div>
        </div>
      )}
      <PayloadFormatSelect value={service.interface} onChange={(form) => void run(async () => setForm(form))} />
      {refusal}
      <SecretField
        texts={{
          title: ta().bots.token,
          show: ta().bots.showToken,
          copy: ta().bots.copyToken,
          renew: ta().bots.newToken,
          renewSure: ta().bots.newTokenSure(bot.full_name),
          more: ta().bots.tokenMore,
        }}
        ask={async () => fetchWebhookSecret(bot)}
        renew={async () => replaceServiceToken(bot)}
      />
    </div>
  )
}

interface AddressFieldProps {
  readonly value: string
  readonly onChange: (address: string) => void
}

export function AddressField({ value, onChange }: AddressFieldProps) {
  return (
    <label class="field">
      <span>{ta().bots.payloadUrl}</span>
      <input
        class="input"
        required
        inputMode="url"
        placeholder={ta().bots.payloadUrlHint}
        maxLength={bots.MAX_PAYLOAD_URL_LENGTH}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <span class="note">{ta().bots.payloadUrlMore}</span>
    </label>
  )
}

interface PayloadFormatSelectProps {
  readonly value: number
  readonly onChange: (form: number) => void
}

export function PayloadFormatSelect({ value, onChange }: PayloadFormatSelectProps) {
  return (
    <label class="field">
      <span>{ta().bots.form}</span>
      <select
        class="input"
        value={String(value)}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      >
        {Object.entries<string>(ta().bots.forms).map(([form, title]) => (
          <option key={form} value={form}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}

interface SecretFieldProps {
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

export function SecretField({ texts, ask, renew }: SecretFieldProps) {
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
