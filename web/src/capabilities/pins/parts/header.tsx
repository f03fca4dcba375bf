import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import type { Place } from '../../../kernel/route.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Link } from '../../../platform/dom/link.tsx'
import { isWide } from '../../../platform/frame.ts'
import { openMenu, type MenuItem } from '../../../platform/overlay/menu.tsx'
import { openPanelAt } from '../../../platform/panel-parts.ts'
import { removeLink } from '../actions.ts'
import { openTarget, parseLinkTarget } from '../links.ts'
import { editLinks, openedLink, openNewLink, mayPinIn, linksOf, pinsIn, type ChannelLink } from '../state.ts'
import './pins.css'

export function PinsInHeader({ place }: { readonly place: Place }) {
  const links = place.view === 'channel-feed' ? linksOf(place.channelId) : []
  const { length: number } = pinsIn(place)
  return (
    <>
      {place.view === 'channel-feed' && links.length > 0 && <Links channelId={place.channelId} links={links} />}
      {number > 0 && (
        <button
          class="header-people"
          aria-label={tl().pins.count(number)}
          title={tl().pins.count(number)}
          onClick={() => openPanelAt('pins')}
        >
          <Icon name="pin" />
          {isWide.value ? tl().pins.count(number) : number}
        </button>
      )}
    </>
  )
}

interface LinksProps {
  readonly channelId: number
  readonly links: readonly ChannelLink[]
}

function Links(props: LinksProps) {
  return isWide.value ? <LinkRow {...props} /> : <LinkMenuButton {...props} />
}

/** One line of links. Those that do not fit are in a menu. */
function LinkRow({ channelId, links }: LinksProps) {
  const row = useRef<HTMLDivElement>(null)
  const [fitting, setFitting] = useState(links.length)
  useLayoutEffect(() => {
    const { current: element } = row
    if (element === null) return undefined
    const measure = (): void => {
      const tops = Array.from(element.children, (link) => link.getBoundingClientRect().top)
      setFitting(tops.filter((top) => top === tops[0]).length)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [links])
  const hidden = links.slice(fitting)
  return (
    <nav class="header-links" aria-label={tl().links.label}>
      <div ref={row} class="header-links-row">
        {links.map((link, index) => (
          <HeaderLink key={link.link_id} channelId={channelId} link={link} isHidden={index >= fitting} />
        ))}
      </div>
      {hidden.length > 0 ? (
        <LinkMenuButton channelId={channelId} links={hidden} isRest />
      ) : (
        mayPinIn(channelId) && (
          <button
            class="icon-button"
            aria-label={tl().links.add}
            title={tl().links.add}
            onClick={() => openNewLink(channelId)}
          >
            <Icon name="plus" size={16} />
          </button>
        )
      )}
    </nav>
  )
}

interface HeaderLinkProps {
  readonly channelId: number
  readonly link: ChannelLink
  readonly isHidden: boolean
}

function HeaderLink({ channelId, link, isHidden }: HeaderLinkProps) {
  const target = parseLinkTarget(link.url)
  if (target === undefined) return null
  const { href, route, opensTab } = target
  const onMenu = mayPinIn(channelId) ? (from: HTMLElement) => openLinkMenu(from, channelId, link) : undefined
  return (
    <span class={isHidden ? 'is-hidden' : undefined}>
      {route === undefined ? (
        <a
          class="header-link"
          href={href}
          title={href}
          target={opensTab ? '_blank' : undefined}
          rel="noopener noreferrer"
          onContextMenu={
            onMenu &&
            ((event) => {
              event.preventDefault()
              onMenu(event.currentTarget)
            })
          }
        >
          <bdi>{link.title}</bdi>
        </a>
      ) : (
        <Link class="header-link" to={route} title={link.url} onMenu={onMenu}>
          <bdi>{link.title}</bdi>
        </Link>
      )}
    </span>
  )
}

function openLinkMenu(from: HTMLElement, channelId: number, link: ChannelLink): void {
  openMenu(from, link.title, [
    { id: 'edit', title: tl().links.edit, icon: 'edit', run: () => (openedLink.value = { channelId, link }) },
    { id: 'remove', title: tl().links.remove, icon: 'delete', run: () => void removeLink(channelId, link) },
  ])
}

function LinkMenuButton({ channelId, links, isRest = false }: LinksProps & { readonly isRest?: boolean }) {
  const name = isRest ? tl().links.more(links.length) : tl().links.label
  return (
    <button
      class={isRest ? 'header-people' : 'icon-button'}
      aria-label={name}
      title={name}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => openMenu(currentTarget, name, menuItems(channelId, links))}
    >
      {isRest ? `+${links.length}` : <Icon name="link" />}
    </button>
  )
}

function menuItems(channelId: number, links: readonly ChannelLink[]): readonly MenuItem[] {
  const items = links.flatMap((link): readonly MenuItem[] => {
    const target = parseLinkTarget(link.url)
    if (target === undefined) return []
    return [{ id: `link-${link.link_id}`, title: link.title, icon: 'link', run: () => openTarget(target) }]
  })
  if (!mayPinIn(channelId)) return items
  return [
    ...items,
    { id: 'add', title: tl().links.add, icon: 'plus', beginsGroup: true, run: () => openNewLink(channelId) },
    { id: 'edit', title: tl().links.editAll, icon: 'edit', run: () => editLinks(channelId) },
  ]
}
