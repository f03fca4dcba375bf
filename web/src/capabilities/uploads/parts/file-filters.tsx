import { useLayoutEffect, useRef } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { conversationOfMessage } from '../../../kernel/message.ts'
import { rankItems } from '../../../kernel/ranking.ts'
import { placeKey } from '../../../kernel/route.ts'
import { messages, store } from '../../../platform/client.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Combobox, type ComboboxOption } from '../../../platform/overlay/combobox.tsx'
import { mayRead } from '../../channels/rights.ts'
import { allChannels, subscriptionTo } from '../../channels/state.ts'
import type { ReadablePlace } from '../../places/live-answer.ts'
import { ChannelSign, placeName } from '../../places/title.tsx'
import { familiarPeople } from '../../users/familiar.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PersonMark } from '../../users/parts/signs.tsx'
import { ownId, userName } from '../../users/state.ts'
import { FILE_KINDS, type FileFilter } from '../files.ts'
import './files.css'

interface FileFiltersProps {
  readonly filter: FileFilter
  readonly onChange: (filter: FileFilter) => void
}

export function FileFilters({ filter, onChange }: FileFiltersProps) {
  const { place, senderId, kind, name } = filter
  return (
    <search class="files-filters">
      <div class="files-fields">
        <FilterField label={tl().files.byName} value={name} onChange={(next) => onChange({ ...filter, name: next })} />
        <FileFilterField
          label={tl().files.in}
          chosen={place && placeName(place)}
          optionsFor={placeOptions}
          onChange={(option) => onChange({ ...filter, place: option?.place })}
        />
        <FileFilterField
          label={tl().files.from}
          chosen={senderId === undefined ? undefined : userName(senderId)}
          optionsFor={personOptions}
          onChange={(option) => onChange({ ...filter, senderId: option?.userId })}
        />
      </div>
      <div class="filters" role="group" aria-label={tl().files.kinds}>
        {FILE_KINDS.map((one) => (
          <button
            key={one}
            class="filter"
            aria-pressed={kind === one}
            onClick={() => onChange({ ...filter, kind: kind === one ? undefined : one })}
          >
            {tl().files[one]}
          </button>
        ))}
      </div>
    </search>
  )
}

interface FileFilterFieldProps<Option> {
  readonly label: string
  readonly chosen: string | undefined
  readonly optionsFor: (typed: string) => readonly Option[]
  readonly onChange: (option: Option | undefined) => void
}

/** Shows a field with suggestions. After a choice, shows a button that removes it. */
function FileFilterField<Option extends ComboboxOption>(props: FileFilterFieldProps<Option>) {
  const { label, chosen, optionsFor, onChange } = props
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isOwnChange = useRef(false)
  const isChosen = chosen !== undefined
  // Focuses the control that replaced the focused one.
  useLayoutEffect(() => {
    if (isOwnChange.current) (button.current ?? field.current)?.focus()
    isOwnChange.current = false
  }, [isChosen])
  const change = (option: Option | undefined): void => {
    isOwnChange.current = true
    onChange(option)
  }
  if (isChosen) {
    return (
      <button
        ref={button}
        class="button files-chosen"
        aria-label={tl().files.clear(chosen)}
        onClick={() => change(undefined)}
      >
        <bdi>{chosen}</bdi>
        <Icon name="close" size={14} />
      </button>
    )
  }
  return (
    <div class="input files-choice">
      <Combobox
        field={field}
        label={label}
        placeholder={label}
        value=""
        optionsFor={optionsFor}
        onChoose={change}
        onDone={() => undefined}
      />
    </div>
  )
}

const MAX_CHANNELS_FIRST = 5

function placeOptions(typed: string): readonly (ComboboxOption & { readonly place: ReadablePlace })[] {
  const channels = allChannels()
    .filter(mayRead)
    .toSorted((one, other) => Number(isSubscribedChannel(other.stream_id)) - Number(isSubscribedChannel(one.stream_id)))
    .map(({ stream_id: channelId }): ReadablePlace => ({ view: 'channel-feed', channelId }))
  const loaded = messages.all().map((message) => conversationOfMessage(message, ownId()))
  const topics = new Map(loaded.filter(({ view }) => view === 'topic').map((place) => [placeKey(place), place]))
  const groups = store()
    .read('recent_private_conversations')
    .filter(({ user_ids: userIds }) => userIds.length > 1)
  const directs = [
    ...familiarPeople.value.map(({ user_id: userId }) => [userId]),
    ...groups.map(({ user_ids: userIds }) => userIds),
  ].map((userIds): ReadablePlace => ({ view: 'direct', userIds }))
  const all =
    typed === ''
      ? [...channels.slice(0, MAX_CHANNELS_FIRST), ...directs]
      : [...channels, ...topics.values(), ...directs]
  return rankItems(all, typed, placeName).map((place) => ({
    key: placeKey(place),
    label: placeName(place),
    sign: place.view === 'direct' ? <Icon name="person" size={15} /> : <ChannelSign channelId={place.channelId} />,
    place,
  }))
}

function isSubscribedChannel(channelId: number): boolean {
  return subscriptionTo(channelId) !== undefined
}

function personOptions(typed: string): readonly (ComboboxOption & { readonly userId: number })[] {
  const former = store().read('realm_non_active_users')
  return rankItems([...familiarPeople.value, ...former], typed, ({ full_name: name }) => name).map(
    ({ user_id: userId }) => ({
      key: String(userId),
      label: userName(userId),
      sign: <Avatar userId={userId} size={20} />,
      mark: <PersonMark userId={userId} />,
      userId,
    }),
  )
}
