import { caseKey } from '@parley/server/kernel/case-key'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { Destination } from '../../../kernel/destination.ts'
import { rankItems } from '../../../kernel/ranking.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { announce } from '../../../platform/overlay/announce.tsx'
import { Combobox, type ComboboxOption } from '../../../platform/overlay/combobox.tsx'
import { allChannels, channelName, maxTopicLength, subscriptionTo } from '../../channels/state.ts'
import { topicListOf, topicsOf } from '../../channels/topics.ts'
import { ChannelSign, directName, topicTitle } from '../../places/title.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PersonMark } from '../../users/parts/signs.tsx'
import { activePeople, ownId, userName } from '../../users/state.ts'
import type { AddressedText } from '../composed-text.ts'
import { isDestinationMissing } from '../actions.ts'
import { initialTopic, topicFault } from '../rights.ts'
import './destination.css'

export function DestinationRow({ writing }: { readonly writing: AddressedText }) {
  const { value: destination } = writing.destination
  const isTopic = destination.view === 'topic'
  const other = isTopic ? t().composer.toPeople : t().composer.toChannel
  const change = (): void => {
    writing.redirect(
      isTopic ? { view: 'direct', userIds: [] } : { view: 'topic', channelId: undefined, topic: undefined },
    )
  }
  return (
    <div class="destination" role="group" aria-label={t().composer.destination}>
      <button class="destination-kind" type="button" aria-label={other} title={other} onClick={change}>
        <Icon name={isTopic ? 'channels' : 'person'} size={15} />
        <Icon name="chevron" size={11} />
      </button>
      {destination.view === 'topic' ? (
        <TopicChips writing={writing} destination={destination} />
      ) : (
        <PeopleChips writing={writing} userIds={destination.userIds} />
      )}
      <MissingDestination writing={writing} />
    </div>
  )
}

export function MissingDestination({ writing }: { readonly writing: AddressedText }) {
  return isDestinationMissing(writing) ? (
    <span class="destination-missing" role="alert">
      {t().composer.incomplete}
    </span>
  ) : null
}

interface TopicChipsProps {
  readonly writing: AddressedText
  readonly destination: Extract<Destination, { view: 'topic' }>
}

function TopicChips({ writing, destination }: TopicChipsProps) {
  const channel = useRef<HTMLInputElement>(null)
  const topic = useRef<HTMLInputElement>(null)
  const { channelId } = destination
  const color = channelId === undefined ? undefined : subscriptionTo(channelId)?.color
  return (
    <>
      <span class="to-chip" data-destination="channel" style={color === undefined ? {} : { '--channel': color }}>
        {channelId !== undefined && <ChannelSign channelId={channelId} />}
        <Combobox
          field={channel}
          label={t().composer.channel}
          placeholder={t().composer.chooseChannel}
          value={channelId === undefined ? '' : channelName(channelId)}
          optionsFor={channelOptions}
          onChoose={({ channelId: chosen }) =>
            writing.redirect({
              view: 'topic',
              channelId: chosen,
              topic: chosen === channelId ? destination.topic : initialTopic(chosen),
            })
          }
          onDone={() => topic.current?.focus()}
        />
      </span>
      <span class="place-then">›</span>
      <TopicField writing={writing} destination={destination} channelId={channelId} field={topic} />
    </>
  )
}

interface TopicFieldProps extends TopicChipsProps {
  readonly channelId: number | undefined
  readonly field: RefObject<HTMLInputElement | null>
}

export function TopicField({ writing, destination, channelId, field }: TopicFieldProps) {
  const { topic } = destination
  // An empty field means general chat only if the user chose it or the channel allows no other topic.
  const unnamed = topic === '' || channelId === undefined ? topic : initialTopic(channelId)
  return (
    <span class="to-chip to-topic" data-destination="topic">
      <Combobox
        field={field}
        label={t().composer.topic}
        placeholder={topic === undefined ? t().composer.chooseTopic : topicTitle('')}
        value={topic ?? ''}
        opensOnFocus={topic === undefined}
        maxLengthOf={maxTopicLength}
        noteFor={(text) => (isNewTopic(channelId, text) ? t().composer.newTopic : undefined)}
        optionsFor={(typed) => topicOptions(channelId, typed)}
        onChoose={({ key }) => writing.redirect({ ...destination, topic: key })}
        onText={(text) => writing.redirect({ ...destination, topic: text || unnamed })}
        onDone={() => writing.field?.focus()}
      />
    </span>
  )
}

function channelOptions(typed: string): readonly (ComboboxOption & { readonly channelId: number })[] {
  const open = allChannels().filter(({ is_archived }) => !is_archived)
  const isOwn = ({ stream_id }: { readonly stream_id: number }): boolean => subscriptionTo(stream_id) !== undefined
  const byUse = [...open.filter(isOwn), ...open.filter((channel) => !isOwn(channel))]
  return rankItems(byUse, typed.toLowerCase(), ({ name }) => name).map(
    ({ stream_id: channelId, name, description }) => ({
      key: String(channelId),
      channelId,
      label: name,
      detail: description,
      sign: <ChannelSign channelId={channelId} />,
    }),
  )
}

function topicOptions(channelId: number | undefined, typed: string): readonly ComboboxOption[] {
  if (channelId === undefined) return []
  const mayBeUnnamed = topicFault({ view: 'topic', channelId, topic: '' }) === undefined
  const names = [...(mayBeUnnamed ? [''] : []), ...topicsOf(channelId).filter((name) => name !== '')]
  const labelOf = (name: string): string => name || topicTitle('')
  return rankItems(names, typed.toLowerCase(), labelOf).map((name) => ({ key: name, label: labelOf(name) }))
}

/** Whether no message in the channel has the topic, as far as is known: the list of topics may not be loaded yet. */
function isNewTopic(channelId: number | undefined, text: string): boolean {
  const topics = channelId === undefined || text === '' ? undefined : topicListOf(channelId)
  return topics !== undefined && !topics.some(({ name }) => caseKey(name) === caseKey(text))
}

interface PeopleChipsProps {
  readonly writing: AddressedText
  readonly userIds: readonly number[]
}

export function PeopleChips({ writing, userIds }: PeopleChipsProps) {
  const field = useRef<HTMLInputElement>(null)
  const choose = (ids: readonly number[]): void => {
    writing.redirect({ view: 'direct', userIds: ids })
    // The focus stays in the field, whose name does not change.
    if (ids.length > 0) announce(t().composer.label(directName(ids)))
  }
  return (
    <>
      {userIds.map((id) => (
        <span key={id} class="to-chip to-person">
          <Avatar userId={id} size={18} />
          <bdi>{id === ownId() ? t().place.notes : userName(id)}</bdi>
          <PersonMark userId={id} />
          <button
            class="icon-button to-remove"
            type="button"
            aria-label={t().composer.removePerson(userName(id))}
            onClick={() => {
              choose(userIds.filter((other) => other !== id))
              field.current?.focus()
            }}
          >
            <Icon name="close" size={13} />
          </button>
        </span>
      ))}
      <span class="to-more" data-destination="people">
        <Combobox
          field={field}
          label={t().composer.addPerson}
          placeholder={userIds.length === 0 ? t().composer.choosePerson : t().composer.addPerson}
          value=""
          opensOnFocus={userIds.length === 0}
          isMultiple
          optionsFor={(typed) => peopleOptions(userIds, typed)}
          // The user's own name appears only if there is no other recipient.
          onChoose={({ userId }) => choose([...userIds.filter((id) => id !== ownId()), userId])}
          onDone={() => writing.field?.focus()}
          onDeleteBefore={() => choose(userIds.slice(0, -1))}
        />
      </span>
    </>
  )
}

function peopleOptions(
  userIds: readonly number[],
  typed: string,
): readonly (ComboboxOption & { readonly userId: number })[] {
  const isOffered = (id: number): boolean => !userIds.includes(id) && (id !== ownId() || userIds.length === 0)
  const isOwn = ({ user_id }: { readonly user_id: number }): number => Number(user_id === ownId())
  const offered = activePeople.value
    .filter(({ user_id }) => isOffered(user_id))
    .toSorted((one, other) => isOwn(one) - isOwn(other))
  // An exact match comes first, even if other names begin with it.
  const exact = offered.filter(({ full_name: name }) => caseKey(name) === caseKey(typed))
  const ranked = rankItems(offered, typed.toLowerCase(), (person) => person.full_name)
  return [...new Set([...exact, ...ranked])].map(({ user_id: userId, full_name: label, email }) => ({
    key: String(userId),
    userId,
    label,
    detail: userId === ownId() ? t().place.notes : email,
    sign: <Avatar userId={userId} size={22} />,
    mark: <PersonMark userId={userId} />,
  }))
}
