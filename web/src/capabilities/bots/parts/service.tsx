import { bots } from '@parley/server/contract'
import { ta } from '../../../kernel/administration.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadingFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { TextEditor } from '../../../platform/settings/text-editor.tsx'
import { replaceServiceToken, changeService, serviceOf, tokenOf, type Service } from '../actions.ts'
import type { Bot } from '../state.ts'
import { Secret } from './secret.tsx'

interface ServicePartProps {
  readonly bot: Bot
}

/** An outgoing webhook bot's URL, and the token by which its program recognizes the server. */
export function ServicePart({ bot }: ServicePartProps) {
  const { value: service, hasFailed, again } = useFetched(async (signal) => serviceOf(bot, signal), bot.user_id)
  const [refusal, run] = useRefusal()
  const change = async (changes: Partial<Service>): Promise<void> => {
    if (service === undefined) return
    await changeService(bot, { ...service, ...changes })
    again()
  }
  if (hasFailed) return <LoadingFailure again={again} />
  if (service === undefined) return <LoadingRows rows={3} />
  return (
    <>
      <div class="field">
        <span>{ta().bots.payloadUrl}</span>
        <TextEditor
          label={ta().bots.payloadUrl}
          inputMode="url"
          value={service.base_url}
          maxLength={bots.MAX_PAYLOAD_URL}
          isRequired
          save={async (base_url) => change({ base_url })}
        />
        <span class="note">{ta().bots.payloadUrlMore}</span>
      </div>
      <FormSelect value={service.interface} onChange={(form) => void run(async () => change({ interface: form }))} />
      {refusal}
      <Secret
        texts={{
          title: ta().bots.token,
          show: ta().bots.showToken,
          copy: ta().bots.copyToken,
          renew: ta().bots.newToken,
          renewSure: ta().bots.newTokenSure(bot.full_name),
          more: ta().bots.tokenMore,
        }}
        ask={async () => tokenOf(bot)}
        renew={async () => replaceServiceToken(bot)}
      />
    </>
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
        maxLength={bots.MAX_PAYLOAD_URL}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <span class="note">{ta().bots.payloadUrlMore}</span>
    </label>
  )
}

interface FormSelectProps {
  readonly value: number
  readonly onChange: (form: number) => void
}

export function FormSelect({ value, onChange }: FormSelectProps) {
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
