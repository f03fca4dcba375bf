import type { FunctionComponent } from 'preact'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { SettingsGroup } from '../../../kernel/setting.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { Failed, Waiting } from '../../../platform/list/states.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { keyOf } from '../../bots/actions.ts'
import { kindsToMake } from '../../bots/state.ts'
import { allChannels } from '../../channels/state.ts'
import { ownId, userById, userName } from '../../users/state.ts'
import { factsOf, makeBotFor, type Facts } from '../actions.ts'
import { NOTHING_CHOSEN, writingBots, type WebhookOptions, type Service } from '../state.ts'
import { Address } from './address.tsx'
import './integration.css'

/** The texts, which list the services, must be loaded. */
export function integrationSettings(): SettingsGroup {
  // Safe: the keys are those of the object's type.
  const services = Object.keys(ta().integrations.services) as Service[]
  return {
    title: () => ta().integrations.incoming,
    settings: services.map((service) => ({
      id: service,
      kind: 'part',
      isBeside: true,
      title: () => ta().integrations.services[service].title,
      note: () => ta().integrations.services[service].about,
      Part: partOf(service),
    })),
  }
}

function partOf(service: Service): FunctionComponent {
  return function Integration() {
    const [isOpen, setOpen] = useState(false)
    const { title } = ta().integrations.services[service]
    return (
      <>
        <button class="button" aria-label={ta().integrations.setUpOf(title)} onClick={() => setOpen(true)}>
          {ta().integrations.setUp}
        </button>
        {isOpen && <IntegrationDialog service={service} onClose={() => setOpen(false)} />}
      </>
    )
  }
}

interface IntegrationDialogProps {
  readonly service: Service
  readonly onClose: () => void
}

function IntegrationDialog({ service, onClose }: IntegrationDialogProps) {
  const { title, steps } = ta().integrations.services[service]
  const { value: facts, hasFailed, again } = useFetched(async (signal) => factsOf(service, signal), service)
  return (
    <Dialog title={title} class="integration" onClose={onClose}>
      {hasFailed && <Failed again={again} />}
      {facts === undefined && !hasFailed && <Waiting rows={4} />}
      {facts !== undefined && (
        <div class="form">
          <p>{steps}</p>
          <Choosing service={service} title={title} facts={facts} />
        </div>
      )}
    </Dialog>
  )
}

interface ChoosingProps {
  readonly service: Service
  readonly title: string
  readonly facts: Facts
}

function Choosing({ service, title, facts }: ChoosingProps) {
  const [chosen, setChosen] = useState<WebhookOptions>(() => ({
    ...NOTHING_CHOSEN,
    botId: writingBots().find(({ bot_owner_id: ownerId }) => ownerId === ownId())?.user_id,
  }))
  // Merged into the current choices, because creating a bot takes a while.
  const change = (changed: Partial<WebhookOptions>): void => setChosen((present) => ({ ...present, ...changed }))
  const bot = chosen.botId === undefined ? undefined : userById(chosen.botId)
  const key = useFetched(async () => (bot === undefined ? '' : keyOf(bot)), bot?.user_id ?? 0)
  return (
    <>
      <BotField service={service} title={title} chosen={chosen} onChange={change} />
      <PlaceFields chosen={chosen} onChange={change} />
      {facts.event_types.length > 0 && <EventsField all={facts.event_types} chosen={chosen} onChange={change} />}
      {facts.signs && (
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
      {key.hasFailed && <Failed again={key.again} />}
      {bot !== undefined && key.value !== undefined && key.value !== '' && (
        <Address service={service} apiKey={key.value} bot={bot} chosen={chosen} />
      )}
    </>
  )
}

interface FieldProps {
  readonly chosen: WebhookOptions
  readonly onChange: (changed: Partial<WebhookOptions>) => void
}

function BotField({ service, title, chosen, onChange }: FieldProps & Pick<ChoosingProps, 'service' | 'title'>) {
  const [refusal, run] = useRefusal()
  const bots = writingBots()
  const make = async (): Promise<void> => {
    await run(async () => onChange({ botId: await makeBotFor(service, title) }))
  }
  return (
    <div class="field">
      <label for={`${service}-bot`}>{ta().integrations.bot}</label>
      <div class="listed-add">
        <select
          id={`${service}-bot`}
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
        {kindsToMake().length > 0 && (
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

/** Without a selection, all events are posted. */
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
