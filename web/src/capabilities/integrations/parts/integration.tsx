import { INTEGRATIONS, type ListedIntegration } from '@parley/server/integrations'
import type { FunctionComponent } from 'preact'
import { useState, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { conversationOfMessage, type Message } from '../../../kernel/message.ts'
import type { SettingsGroup } from '../../../kernel/setting.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { Link } from '../../../platform/dom/link.tsx'
import { announce } from '../../../platform/overlay/announce.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { fetchApiKey } from '../../bots/actions.ts'
import { creatableBotTypes, type Bot } from '../../bots/state.ts'
import { allChannels } from '../../channels/state.ts'
import { Content } from '../../messages/parts/shown.tsx'
import { placeTitle } from '../../places/title.tsx'
import { ownId, userById, userName } from '../../users/state.ts'
import { createBotFor, sendSampleRequest } from '../actions.ts'
import { INITIAL_OPTIONS, textsOf, postingBots, type WebhookOptions, addressFor } from '../state.ts'
import './integration.css'

export const integrationSettings: SettingsGroup = {
  title: () => ta().integrations.incoming,
  settings: INTEGRATIONS.map((service) => ({
    id: service.name,
    kind: 'part',
    isBeside: true,
    title: () => textsOf(service).title,
    note: () => textsOf(service).about,
    Part: createIntegrationPart(service),
  })),
}

function createIntegrationPart(service: ListedIntegration): FunctionComponent {
  return function Integration() {
    const [isOpen, setOpen] = useState(false)
    const label = ta().integrations.setUpOf(textsOf(service).title)
    return (
      <>
        <button class="button" aria-label={label} onClick={() => setOpen(true)}>
          {ta().integrations.setUp}
        </button>
        {isOpen && <IntegrationDialog service={service} onClose={() => setOpen(false)} />}
      </>
    )
  }
}

interface IntegrationDialogProps {
  readonly service: ListedIntegration
  readonly onClose: () => void
}

function IntegrationDialog({ service, onClose }: IntegrationDialogProps) {
  const { title, steps } = textsOf(service)
  return (
    <Dialog title={title} class="integration" onClose={onClose}>
      <div class="form">
        <p>{steps}</p>
        <WebhookForm service={service} />
      </div>
    </Dialog>
  )
}

interface WebhookFormProps {
  readonly service: ListedIntegration
}

function WebhookForm({ service }: WebhookFormProps) {
  const [chosen, setChosen] = useState<WebhookOptions>(() => ({
    ...INITIAL_OPTIONS,
    botId: postingBots().find(({ bot_owner_id: ownerId }) => ownerId === ownId())?.user_id,
  }))
  // Merges into the current choices, which can change while a bot is being created.
  const change = (changed: Partial<WebhookOptions>): void => setChosen((present) => ({ ...present, ...changed }))
  const bot = chosen.botId === undefined ? undefined : userById(chosen.botId)
  const [known, setKnown] = useState<{ readonly botId: number; readonly key: string }>()
  const [refusal, run] = useRefusal()
  return (
    <>
      <BotField service={service} chosen={chosen} onChange={change} />
      <PlaceFields chosen={chosen} onChange={change} />
      {service.eventTypes !== null && <EventsField all={service.eventTypes} chosen={chosen} onChange={change} />}
      {service.signs && (
        <label class="field">
          <span>{ta().integrations.secret}</span>
          <input
            class="input"
            autocomplete="off"
            value={chosen.secret}
            onInput={({ currentTarget }) => change({ secret: currentTarget.value })}
          />
          <span class="note">{ta().integrations.secretMore}</span>
        </label>
      )}
      {bot !== undefined && known?.botId === bot.user_id && (
        <Address service={service} apiKey={known.key} bot={bot} chosen={chosen} />
      )}
      {bot !== undefined && known?.botId !== bot.user_id && (
        <div class="field">
          <span>{ta().integrations.address}</span>
          <div>
            <button
              class="button"
              type="button"
              onClick={() => void run(async () => setKnown({ botId: bot.user_id, key: await fetchApiKey(bot) }))}
            >
              {ta().integrations.showAddress}
            </button>
          </div>
          {refusal}
        </div>
      )}
    </>
  )
}

interface FieldProps {
  readonly chosen: WebhookOptions
  readonly onChange: (changed: Partial<WebhookOptions>) => void
}

function BotField({ service, chosen, onChange }: FieldProps & WebhookFormProps) {
  const [refusal, run] = useRefusal()
  const bots = postingBots()
  const make = async (): Promise<void> => {
    await run(async () => onChange({ botId: await createBotFor(service) }))
  }
  return (
    <div class="field">
      <label for={`${service.name}-bot`}>{ta().integrations.bot}</label>
      <div class="listed-add">
        <select
          id={`${service.name}-bot`}
          class="input"
          value={String(chosen.botId ?? '')}
          onChange={({ currentTarget: { value } }) => onChange({ botId: value === '' ? undefined : Number(value) })}
        >
          <option value="">{ta().integrations.noBot}</option>
          {bots.map(({ user_id: id, full_name: name, bot_owner_id: ownerId }) => (
            <option key={id} value={String(id)}>
              {ownerId === null || ownerId === ownId() ? name : ta().integrations.botOf(name, userName(ownerId))}
            </option>
          ))}
        </select>
        {creatableBotTypes().length > 0 && (
          <button class="button" type="button" onClick={() => void make()}>
            {ta().integrations.makeBot}
          </button>
        )}
      </div>
      <span class="note">{ta().integrations.botMore}</span>
      {refusal}
    </div>
  )
}

function PlaceFields({ chosen, onChange }: FieldProps) {
  const channels = allChannels().filter(({ is_archived: isArchived }) => !isArchived)
  return (
    <>
      <label class="field">
        <span>{ta().integrations.channel}</span>
        <select
          class="input"
          value={String(chosen.channelId ?? '')}
          onChange={({ currentTarget: { value } }) => onChange({ channelId: value === '' ? undefined : Number(value) })}
        >
          <option value="">{ta().integrations.direct}</option>
          {channels.map(({ stream_id: id, name }) => (
            <option key={id} value={String(id)}>
              {`#${name}`}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{ta().integrations.topic}</span>
        <input
          class="input"
          dir="auto"
          placeholder={ta().integrations.topicHint}
          value={chosen.topic}
          onInput={({ currentTarget }) => onChange({ topic: currentTarget.value })}
        />
      </label>
    </>
  )
}

/** If no event is selected, all events are posted. */
function EventsField({ all, chosen: { events }, onChange }: FieldProps & { readonly all: readonly string[] }) {
  const turn = (event: string, isOn: boolean): void =>
    onChange({ events: all.filter((one) => (one === event ? isOn : events.includes(one))) })
  return (
    <details>
      <summary>
        {events.length === 0 ? ta().integrations.allEvents : ta().integrations.someEvents(events.length)}
      </summary>
      <fieldset class="integration-events" aria-label={ta().integrations.events}>
        {all.map((event) => (
          <label key={event} class="check">
            <input
              type="checkbox"
              checked={events.includes(event)}
              onChange={({ currentTarget }) => turn(event, currentTarget.checked)}
            />
            <code>{event}</code>
          </label>
        ))}
      </fieldset>
    </details>
  )
}

interface AddressProps {
  readonly service: ListedIntegration
  readonly apiKey: string
  readonly bot: Bot
  readonly chosen: WebhookOptions
}

function Address({ service, apiKey, bot, chosen }: AddressProps) {
  const [result, setResult] = useState<{ readonly message: Message | undefined }>()
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const heading = useId()
  const shown = useRef<HTMLPreElement>(null)
  useLayoutEffect(() => shown.current?.focus(), [])
  const address = addressFor(service, apiKey, chosen)
  const test = async (): Promise<void> => {
    setBusy(true)
    setResult(undefined)
    await run(async () => setResult({ message: await sendSampleRequest(service, address, chosen) }))
    setBusy(false)
    announce(ta().integrations.tested)
  }
  return (
    <>
      <div class="field">
        <span id={heading}>{ta().integrations.address}</span>
        <pre class="integration-address" dir="ltr" tabIndex={0} role="group" aria-labelledby={heading} ref={shown}>
          {address}
        </pre>
        <span class="note">{ta().integrations.addressMore}</span>
        <div class="own-picture">
          <button class="button primary" onClick={() => void copyWithToast(address)}>
            {ta().integrations.copyAddress}
          </button>
          <button class="button" disabled={isBusy} onClick={() => void test()}>
            {ta().integrations.test}
          </button>
        </div>
      </div>
      {refusal}
      {result !== undefined && <SampleResult message={result.message} bot={bot} />}
    </>
  )
}

function SampleResult({ message, bot }: { readonly message: Message | undefined; readonly bot: Bot }) {
  if (message === undefined) {
    return <p class="note">{bot.bot_owner_id === ownId() ? ta().integrations.unseen : ta().integrations.elsewhere}</p>
  }
  const place = conversationOfMessage(message, ownId())
  return (
    <section class="integration-result" aria-label={ta().integrations.came}>
      <div class="integration-place">
        <Link to={{ ...place, near: message.id }}>{placeTitle(place)}</Link>
      </div>
      <strong>
        <bdi>{message.sender_full_name}</bdi>
      </strong>
      <Content html={message.content} />
    </section>
  )
}
