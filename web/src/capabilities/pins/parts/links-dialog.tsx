import { pins as declared } from '@parley/server/contract'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { OrderedList } from '../../../platform/list/ordered.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { FormDialog } from '../../../platform/overlay/form-dialog.tsx'
import { UserFacingError } from '../../../platform/requests.ts'
import { addLink, changeLink, orderLinks, removeLink } from '../actions.ts'
import { proposedTitle } from '../links.ts'
import { openedLink, openedLinkList, openNewLink, type LinkRequest, linksOf, type ChannelLink } from '../state.ts'
import { completeUrl } from '../urls.ts'

export function LinkList() {
  const { value: channelId } = openedLinkList
  return channelId === undefined ? null : <OpenLinkList channelId={channelId} />
}

function OpenLinkList({ channelId }: { readonly channelId: number }) {
  const body = useRef<HTMLDivElement>(null)
  const links = linksOf(channelId)
  // The focused button disappears with its link.
  useLayoutEffect(() => {
    const { activeElement: focused } = document
    if (focused === document.body || focused?.tagName === 'DIALOG') body.current?.querySelector('button')?.focus()
  }, [links.length])
  return (
    <Dialog title={tl().links.editAll} onClose={() => (openedLinkList.value = undefined)}>
      <div ref={body} class="form">
        {links.length === 0 && <p class="note">{tl().links.none}</p>}
        <OrderedList
          label={tl().links.label}
          things={links}
          keyOf={({ link_id }) => link_id}
          nameOf={({ title }) => title}
          onOrder={(ordered) => void orderLinks(channelId, ordered)}
        >
          {(link) => <LinkItem channelId={channelId} link={link} />}
        </OrderedList>
        <div class="dialog-actions">
          <button class="button primary" onClick={() => openNewLink(channelId)}>
            <Icon name="plus" size={16} />
            {tl().links.add}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function LinkItem({ channelId, link }: { readonly channelId: number; readonly link: ChannelLink }) {
  const { title, url } = link
  return (
    <>
      <span class="ordered-text ordered-lines">
        <bdi>{title}</bdi>
        <span class="note">
          <bdi>{url}</bdi>
        </span>
      </span>
      <button
        class="icon-button"
        aria-label={tl().links.editOf(title)}
        title={tl().links.edit}
        onClick={() => (openedLink.value = { channelId, link })}
      >
        <Icon name="edit" size={16} />
      </button>
      <button
        class="icon-button"
        aria-label={tl().links.removeOf(title)}
        title={tl().links.remove}
        onClick={() => void removeLink(channelId, link)}
      >
        <Icon name="delete" size={16} />
      </button>
    </>
  )
}

function closeLink(): void {
  openedLink.value = undefined
}

export function LinkDialog() {
  const { value: opened } = openedLink
  return opened === undefined ? null : <OpenLinkDialog key={opened.link?.link_id} {...opened} />
}

function OpenLinkDialog({ channelId, link }: LinkRequest) {
  const [url, setUrl] = useState(link?.url ?? '')
  const [title, setTitle] = useState(link?.title ?? '')
  const changeUrl = (typed: string): void => {
    setUrl(typed)
    // Keeps a title that the person wrote.
    if (title === '' || title === proposedTitle(url))
      setTitle(proposedTitle(typed).slice(0, declared.MAX_LINK_TITLE_CHARACTERS))
  }
  const save = async (): Promise<void> => {
    const complete = completeUrl(url)
    if (complete === undefined) throw new UserFacingError(tl().links.invalid)
    const content = { title: title.trim(), url: complete }
    await (link === undefined ? addLink(channelId, content) : changeLink(channelId, link, content))
    closeLink()
  }
  const action = link === undefined ? tl().links.add : tl().links.save
  return (
    <FormDialog title={link === undefined ? action : tl().links.edit} action={action} save={save} onClose={closeLink}>
      <label class="field">
        <span>{tl().links.url}</span>
        <input
          class="input"
          required
          autofocus
          dir="ltr"
          inputMode="url"
          autocomplete="off"
          maxLength={declared.MAX_LINK_URL_CHARACTERS}
          value={url}
          onInput={({ currentTarget }) => changeUrl(currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{tl().links.title}</span>
        <input
          class="input"
          required
          dir="auto"
          pattern=".*\S.*"
          maxLength={declared.MAX_LINK_TITLE_CHARACTERS}
          value={title}
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      </label>
    </FormDialog>
  )
}
