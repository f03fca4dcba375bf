import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Destination } from '../../../kernel/destination.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { rankItems } from '../../../kernel/ranking.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Combobox, type ComboboxOption } from '../../../platform/overlay/combobox.tsx'
import { channelById, channelName, subscriptionTo } from '../../channels/state.ts'
import { maySendTo } from '../../message-edits/rules.ts'
import { allEntries, weightOf, type Entry } from '../../palette/entries.ts'
import { ChannelSign, topicTitle } from '../../places/title.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import type { ForwardedText } from '../forwarded-text.ts'
import { initialTopic, mayWriteIn } from '../rights.ts'
import { PeopleChips, TopicField } from './destination.tsx'
import './destination.css'

/** One field for people, channels, and topics. A channel then asks for its topic, and a person for more people. */
export function Recipients({ writing }: { readonly writing: ForwardedText }) {
  const { value: destination } = writing.destination
  return (
    <div class="destination" role="group" aria-label={t().composer.destination}>
      <span class="forward-to" aria-hidden="true">
        {t().composer.destination}
      </span>
      {destination.view === 'direct' ? (
        <PeopleChips writing={writing} userIds={destination.userIds} />
      ) : destination.channelId === undefined ? (
        <RecipientField writing={writing} />
      ) : (
        <ChannelChip writing={writing} destination={destination} channelId={destination.channelId} />
      )}
    </div>
  )
}

interface ChannelChipProps {
  readonly writing: ForwardedText
  readonly destination: Extract<Destination, { view: 'topic' }>
  readonly channelId: number
}

function ChannelChip({ writing, destination, channelId }: ChannelChipProps) {
  const field = useRef<HTMLInputElement>(null)
  const { topic } = destination
  const name = channelName(channelId)
  const color = subscriptionTo(channelId)?.color
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <>
      <span class="to-chip to-person" style={color === undefined ? {} : { '--channel': color }}>
        <ChannelSign channelId={channelId} />
        <bdi>{name}</bdi>
        {topic !== undefined && (
          <>
            <span class="place-then">›</span>
            <bdi>{topicTitle(topic)}</bdi>
          </>
        )}
        <button
          class="to-remove"
          type="button"
          aria-label={t().composer.removePerson(name)}
          onClick={() => writing.redirect()}
        >
          <Icon name="close" size={13} />
        </button>
      </span>
      {topic === undefined && (
        <TopicField writing={writing} destination={destination} channelId={channelId} field={field} />
      )}
    </>
  )
}

interface Recipient extends ComboboxOption {
  readonly destination: Destination
}

function RecipientField({ writing }: { readonly writing: ForwardedText }) {
  const field = useRef<HTMLInputElement>(null)
  const entries = useMemo(recipientEntries, [])
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <span class="to-more" data-destination="channel">
      <Combobox
        field={field}
        label={t().composer.destination}
        placeholder={tl().forward.find}
        value=""
        opensOnFocus
        optionsFor={(typed) => rankItems(entries, typed, searchTextOf).flatMap(recipientOf)}
        onChoose={({ destination }) => writing.redirect(destination)}
        onDone={() => {
          if (writing.conversation !== undefined) writing.field?.focus()
        }}
      />
    </span>
  )
}

/** Returns the palette's conversations, channels, and people to whom the user can write, the likeliest first. */
function recipientEntries(): readonly Entry[] {
  return allEntries()
    .filter(({ to }) => {
      if (to?.view === 'topic') return mayWriteIn(to)
      const channel = to?.view === 'channel' ? channelById(to.channelId) : undefined
      return to?.view === 'direct' || (channel !== undefined && maySendTo(channel))
    })
    .map((entry) => ({ entry, weight: weightOf(entry) }))
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ entry }) => entry)
}

/** A channel's name also finds its topics. */
function searchTextOf({ name, detail, to }: Entry): string {
  return to?.view === 'topic' ? `${name} ${detail ?? ''}` : name
}

function recipientOf({ key, name, detail, to, userId, icon }: Entry): Recipient[] {
  const option = { key, label: name, detail }
  if (to?.view === 'topic') return [{ ...option, destination: to, sign: <ChannelSign channelId={to.channelId} /> }]
  if (to?.view === 'channel') {
    const destination = { view: 'topic', channelId: to.channelId, topic: initialTopic(to.channelId) } as const
    return [{ ...option, destination, sign: <ChannelSign channelId={to.channelId} /> }]
  }
  if (to?.view !== 'direct') return []
  const sign = userId === undefined ? <Icon name={icon} size={17} /> : <Avatar userId={userId} size={22} />
  return [{ ...option, destination: to, sign }]
}
