import { useLayoutEffect, useRef } from 'preact/hooks'
import { PersonAbout } from '../../capabilities/users/parts/about.tsx'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { closePanel, isWide, restoreFocusFromPanel } from '../../platform/frame.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { drawnRoute } from '../../platform/router.ts'
import { ChannelPart } from './channel.tsx'
import { Files } from './files.tsx'
import { Part } from './part.tsx'
import { People, PersonRow, ROW_HEIGHT_PIXELS } from './people.tsx'
import { TopicPart } from './topic.tsx'

export function Panel() {
  const element = useRef<HTMLElement>(null)
  const isSheet = !isWide.value
  useLayoutEffect(() => restoreFocusFromPanel, [])
  useLayoutEffect(() => {
    if (!isSheet) return undefined
    element.current?.focus()
    const outside = ({ target }: PointerEvent): void => {
      const isInside = target instanceof Element && target.closest('.panel, dialog, [popover], .toasts') !== null
      if (!isInside) closePanel()
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [isSheet])
  return (
    <aside
      ref={element}
      class="panel"
      aria-label={t().panel.label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isSheet) return
        event.preventDefault()
        closePanel()
      }}
    >
      <header class="panel-head">
        <h2>{t().panel.label}</h2>
        <button class="icon-button" aria-label={t().app.close} onClick={closePanel}>
          <Icon name="close" />
        </button>
      </header>
      <div class="panel-scroll">
        <Content />
      </div>
    </aside>
  )
}

function Content() {
  const route = drawnRoute()
  switch (route.view) {
    case 'topic':
      return <TopicPart place={route} />
    case 'direct':
      return <DirectPart userIds={route.userIds} />
    case 'channel':
    case 'channel-feed':
      return <ChannelPart channelId={route.channelId} />
    default:
      return <People />
  }
}

function DirectPart({ userIds }: { readonly userIds: readonly number[] }) {
  const [first = 0] = userIds
  return (
    <>
      <Part title={tl().panel.participants}>
        {userIds.length === 1 ? (
          <PersonAbout userId={first} />
        ) : (
          <ul>
            {userIds.map((userId) => (
              <li key={userId} style={{ blockSize: `${ROW_HEIGHT_PIXELS}px` }}>
                <PersonRow userId={userId} />
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Files place={{ view: 'direct', userIds }} />
    </>
  )
}
