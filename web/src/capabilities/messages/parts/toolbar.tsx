import type { MenuGroup, MessageAction, Point } from '../../../kernel/capability.ts'
import type { Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { keepFocus } from '../../../platform/dom/growing-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { keyHintOf, titleWithHint } from '../../../platform/keys/keys.ts'
import { dangerousLast, openMenu, type MenuItem } from '../../../platform/overlay/menu.tsx'
import { allCapabilities } from '../../../platform/registry.ts'

/** @param isWanted checked first, because permissions take longer */
export function actionsFor(
  message: Message,
  isWanted: (action: MessageAction) => boolean = () => true,
): readonly MessageAction[] {
  return allCapabilities()
    .flatMap(({ messageActions = [] }) => messageActions)
    .filter((action) => isWanted(action) && (action.when?.(message) ?? true))
}

const isInToolbar = ({ isQuick = false }: MessageAction): boolean =>
  typeof isQuick === 'function' ? isQuick() : isQuick

const MENU_GROUP_ORDER: readonly MenuGroup[] = ['talk', 'read', 'copy', 'manage']

export function openActions(message: Message, from: HTMLElement, at?: Point): void {
  const label = t().messages.actions(message.sender_full_name)
  const more: MessageAction = {
    id: 'more',
    title: () => t().app.more,
    icon: 'more',
    run: () => openMenu(from, label, itemsOf('rare', 0), { at }),
  }
  const actions = [...actionsFor(message), more]
  const isIn = (group: MenuGroup, { group: own = 'manage', isKeyOnly = false }: MessageAction): boolean =>
    own === group && !(typeof isKeyOnly === 'function' ? isKeyOnly(message) : isKeyOnly)
  const itemsOf = (group: MenuGroup, index: number): readonly MenuItem[] =>
    dangerousLast(actions.filter((action) => isIn(group, action))).map((action, place) => ({
      id: action.id,
      title: action.title(message),
      icon: action.icon,
      isDangerous: action.isDangerous === true,
      keyLabel: keyHintOf(action),
      beginsGroup: index > 0 && place === 0,
      refusal: action.refusal?.(message),
      run: () => action.run(message, from, at),
    }))
  const choices = actions.flatMap((action) => action.choices?.(message) ?? [])
  openMenu(from, label, MENU_GROUP_ORDER.flatMap(itemsOf), { at, choices })
}

export function Toolbar({ message }: { readonly message: Message }) {
  const label = t().messages.actions(message.sender_full_name)
  return (
    <div class="message-toolbar" role="toolbar" aria-label={label} onMouseDown={keepFocus}>
      {actionsFor(message, isInToolbar)
        .filter(({ refusal }) => refusal?.(message) === undefined)
        .map((action) => (
          <QuickAction key={action.id} action={action} message={message} />
        ))}
      <button
        class="icon-button"
        aria-label={t().app.more}
        aria-haspopup="menu"
        title={t().app.more}
        onClick={(event) => openActions(message, event.currentTarget)}
      >
        <Icon name="more" />
      </button>
    </div>
  )
}

function QuickAction({ action, message }: { readonly action: MessageAction; readonly message: Message }) {
  const { title, icon, quickChoices = 0, choices, run } = action
  const name = title(message)
  const quick = quickChoices === 0 ? [] : (choices?.(message).slice(0, quickChoices) ?? [])
  return (
    <>
      {quick.map((choice) => (
        <button
          key={choice.id}
          class="icon-button quick-choice"
          aria-label={choice.title}
          aria-pressed={choice.isOn}
          title={choice.title}
          onClick={choice.run}
        >
          {choice.sign}
        </button>
      ))}
      <button
        class="icon-button"
        aria-label={name}
        title={titleWithHint(name, keyHintOf(action))}
        onClick={(event) => run(message, event.currentTarget)}
      >
        <Icon name={icon} />
      </button>
    </>
  )
}
