import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { IconName } from '../../kernel/icons.ts'
import type { Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { keysOf } from '../../platform/keys/choices.ts'
import { availableCommands, keyLabel } from '../../platform/keys/keys.ts'
import { go } from '../../platform/router.ts'
import { allSections, groupsOf } from '../../platform/settings/sections.ts'
import { allChannels } from '../channels/state.ts'
import { ranked } from '../../kernel/ranking.ts'
import { directName, topicTitle } from '../places/title.tsx'
import { unreadConversations } from '../unread/state.ts'
import { activePeople } from '../users/state.ts'
import { closePalette } from './state.ts'
import './palette.css'

interface Entry {
  readonly key: string
  readonly name: string
  readonly icon: IconName
  readonly detail?: string
  readonly run: () => void
}

const MOST_SHOWN = 12

function entriesFor(query: string): readonly Entry[] {
  const to = (route: Route) => () => go(route)
  const sign = query.charAt(0)
  const typed = (/[>@#]/.test(sign) ? query.slice(1) : query).trim().toLowerCase()
  const channels = allChannels()
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id: channelId, name }): Entry => ({
      key: `c${channelId}`,
      name,
      icon: 'hash',
      run: to({ view: 'channel', channelId }),
    }))
  const people = activePeople.value.map(({ user_id, full_name: name, email }): Entry => ({
    key: `u${user_id}`,
    name,
    icon: 'person',
    detail: email,
    run: to({ view: 'direct', userIds: [user_id] }),
  }))
  const commands = availableCommands().map((command): Entry => {
    const { id, title, icon = 'more', run } = command
    const [key] = keysOf(command)
    return { key: id, name: title(), icon, run, ...(key === undefined ? {} : { detail: keyLabel(key) }) }
  })
  if (sign === '>') return ranked([...commands, ...settings()], typed, ({ name }) => name)
  if (sign === '@') return ranked(people, typed, ({ name }) => name)
  if (sign === '#') return ranked(channels, typed, ({ name }) => name)
  const found = ranked(
    [...conversations(), ...channels, ...people, ...commands, ...settings()],
    typed,
    ({ name }) => name,
  )
  if (typed === '') return found
  const search: Entry = {
    key: 'search',
    name: t().search.messages(query.trim()),
    icon: 'search',
    run: to({ view: 'search', query: query.trim() }),
  }
  return [...found.slice(0, MOST_SHOWN - 1), search]
}

/** Every page of the settings, and every setting. */
function settings(): Entry[] {
  return allSections().flatMap((section) => {
    const page: Entry = {
      key: `s:${section.id}`,
      name: section.title(),
      icon: section.icon,
      detail: t().settings.title,
      run: () => go({ view: 'settings', section: section.id }),
    }
    const within = groupsOf(section)?.flatMap((group) => group.settings) ?? []
    const each = within
      .filter(({ when }) => when?.() ?? true)
      .map(({ id, title }): Entry => ({
        key: `s:${section.id}:${id}`,
        name: title(),
        icon: section.icon,
        detail: section.title(),
        run: () => go({ view: 'settings', section: section.id, setting: id }),
      }))
    return [page, ...each]
  })
}

/** What waits to be read, and whom one wrote with. */
function conversations(): Entry[] {
  const waiting = unreadConversations.value.map(({ place }): Entry => ({
    key: JSON.stringify(place),
    name: place.view === 'topic' ? topicTitle(place.topic) : directName(place.userIds),
    icon: place.view === 'topic' ? 'feed' : 'person',
    detail: t().messages.unread,
    run: () => go(place),
  }))
  const directs = store()
    .read('recent_private_conversations')
    .filter(({ user_ids }) => user_ids.length > 1)
    .map(({ user_ids: userIds }): Entry => ({
      key: `d${userIds.join()}`,
      name: directName(userIds),
      icon: 'person',
      run: () => go({ view: 'direct', userIds }),
    }))
  return [...waiting, ...directs]
}

/** Goes anywhere and does anything by its name. */
export function Palette() {
  const box = useRef<HTMLDialogElement>(null)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useId()
  const entries = entriesFor(query)
  useEffect(() => {
    const { current: dialog } = box
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const run = (index: number): void => {
    const entry = entries[index]
    if (entry === undefined) return
    closePalette()
    entry.run()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown') setChosen((chosen + 1) % Math.max(1, entries.length))
    else if (event.key === 'ArrowUp') setChosen((chosen + entries.length - 1) % Math.max(1, entries.length))
    else if (event.key === 'Enter') run(chosen)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={box}
      class="dialog palette"
      aria-label={t().palette.label}
      onCancel={closePalette}
      onClick={(event) => {
        if (event.target === box.current) closePalette()
      }}
    >
      <input
        class="palette-field"
        role="combobox"
        aria-label={t().palette.label}
        aria-expanded={true}
        aria-controls={list}
        aria-activedescendant={entries.length === 0 ? undefined : `${list}-${chosen}`}
        placeholder={t().palette.placeholder}
        value={query}
        autofocus
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKey}
      />
      <ul id={list} class="palette-list" role="listbox" aria-label={t().palette.label}>
        {entries.map(({ key, name, icon, detail }, index) => (
          <li
            key={key}
            id={`${list}-${index}`}
            class="suggestion"
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(index)}
          >
            <Icon name={icon} size={17} />
            <span class="suggestion-label">
              <bdi>{name}</bdi>
            </span>
            {detail !== undefined && <span class="suggestion-detail">{detail}</span>}
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p class="empty">{t().palette.empty}</p>}
    </dialog>
  )
}
