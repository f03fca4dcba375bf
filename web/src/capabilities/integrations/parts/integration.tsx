import { INTEGRATIONS, type ListedIntegration } from '@parley/server/integrations'
import type { FunctionComponent } from 'preact'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { SettingsGroup } from '../../../kernel/setting.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { fetchApiKey } from '../../bots/actions.ts'
import { creatableKinds } from '../../bots/state.ts'
import { allChannels } from '../../channels/state.ts'
import { ownId, userById, userName } from '../../users/state.ts'
import { createBotFor } from '../actions.ts'
import { INITIAL_OPTIONS, textsOf, writingBots, type WebhookOptions } from '../state.ts'
import { Address } from './address.tsx'
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
    botId: writingBots().find(({ bot_owner_id: ownerId }) => ownerId === ownId())?.user_id,
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
  const bots = writingBots()
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
        {creatableKinds().length > 0 && (
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
