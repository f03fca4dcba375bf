import { botCommands } from '@parley/server/contract'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { addCommand, changeCommand, fetchCommands, removeCommand, type Command } from '../actions.ts'
import type { Bot } from '../state.ts'
import './commands.css'

interface CommandsPartProps {
  readonly bot: Bot
}

const EMPTY_COMMAND: Command = { name: '', description: '', argument_hint: '' }

export function CommandsPart({ bot }: CommandsPartProps) {
  const { value: commands, hasFailed, again } = useFetched(async () => fetchCommands(bot), bot.user_id)
  /** Command whose row is an editor; empty for a new command. */
  const [edited, setEdited] = useState<string>()
  const [isRemoving, setRemoving] = useState(false)
  const [refusal, run] = useRefusal()
  const addButton = useRef<HTMLButtonElement>(null)
  /** Command whose row takes the focus when its editor closes; empty for the Add button. */
  const focused = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (edited === undefined && focused.current === '') addButton.current?.focus()
  }, [edited])
  const edit = (name: string): void => {
    focused.current = undefined
    setEdited(name)
  }
  const close = (next: string): void => {
    focused.current = next
    setEdited(undefined)
  }
  const save = async (before: Command, after: Command): Promise<void> => {
    await (before.name === '' ? addCommand(bot, after, again) : changeCommand(bot, before, after, again))
    close('')
  }
  const remove = async (command: Command): Promise<void> => {
    setRemoving(true)
    if (await run(async () => removeCommand(bot, command, again))) addButton.current?.focus()
    setRemoving(false)
  }
  const editor = (command: Command) => (
    <CommandEditor
      key={command.name}
      command={command}
      save={async (after) => save(command, after)}
      onCancel={() => close(command.name)}
    />
  )
  return (
    <div class="field" role="group" aria-label={ta().bots.commands}>
      <span>{ta().bots.commands}</span>
      <span class="note">{ta().bots.commandsMore}</span>
      {commands === undefined && (hasFailed ? <LoadFailure again={again} /> : <LoadingRows rows={1} />)}
      {commands !== undefined && commands.length > 0 && (
        <ul class="credentials">
          {commands.map((command) =>
            command.name === edited ? (
              <li key={command.name}>{editor(command)}</li>
            ) : (
              <CommandRow
                key={command.name}
                command={command}
                isFixed={edited !== undefined || isRemoving}
                takesFocus={focused.current === command.name}
                onEdit={() => edit(command.name)}
                onRemove={() => void remove(command)}
              />
            ),
          )}
        </ul>
      )}
      {refusal}
      {edited === '' && editor(EMPTY_COMMAND)}
      <div hidden={edited !== undefined}>
        <button class="button" type="button" ref={addButton} disabled={commands === undefined} onClick={() => edit('')}>
          {ta().bots.addCommand}
        </button>
      </div>
    </div>
  )
}

interface CommandRowProps {
  readonly command: Command
  /** Whether another command is being edited or removed. */
  readonly isFixed: boolean
  readonly takesFocus: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function CommandRow({ command, isFixed, takesFocus, onEdit, onRemove }: CommandRowProps) {
  const { name, description, argument_hint: hint } = command
  const editButton = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) editButton.current?.focus()
  }, [])
  return (
    <li class="credential">
      <span>
        <bdi>
          <code>/{name}</code> <span class="note">{hint}</span>
        </bdi>
        <bdi class="note">{description}</bdi>
      </span>
      <button
        class="icon-button"
        type="button"
        ref={editButton}
        aria-label={ta().bots.editCommand(name)}
        disabled={isFixed}
        onClick={onEdit}
      >
        <Icon name="edit" size={16} />
      </button>
      <button
        class="icon-button"
        type="button"
        aria-label={ta().bots.removeCommand(name)}
        disabled={isFixed}
        onClick={onRemove}
      >
        <Icon name="delete" size={16} />
      </button>
    </li>
  )
}

interface CommandEditorProps {
  readonly command: Command
  readonly save: (command: Command) => Promise<void>
  readonly onCancel: () => void
}

function CommandEditor({ command, save, onCancel }: CommandEditorProps) {
  const [draft, setDraft] = useState(command)
  const [refusal, run] = useRefusal()
  const [isSaving, setSaving] = useState(false)
  const submit = async (): Promise<void> => {
    setSaving(true)
    if (!(await run(async () => save(draft)))) setSaving(false)
  }
  const isNew = command.name === ''
  const nameField = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => nameField.current?.focus(), [])
  const field = (key: keyof Command, label: string, maxLength: number, more: object) => (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        maxLength={maxLength}
        value={draft[key]}
        onInput={({ currentTarget }) => setDraft({ ...draft, [key]: currentTarget.value })}
        {...more}
      />
    </label>
  )
  const nameFieldProps = { ref: nameField, required: true, autocapitalize: 'none', dir: 'ltr', spellcheck: false }
  return (
    <form
      class="form command-editor"
      aria-label={isNew ? ta().bots.newCommand : ta().bots.editCommand(command.name)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSaving) void submit()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Keeps the dialog open.
        event.preventDefault()
        event.stopPropagation()
        onCancel()
      }}
    >
      {/* One more character for the slash, which people may type. */}
      {field('name', ta().bots.commandName, 1 + botCommands.MAX_COMMAND_NAME_LENGTH, nameFieldProps)}
      {field('description', ta().bots.commandDescription, botCommands.MAX_DESCRIPTION_CHARACTERS, { required: true })}
      {field('argument_hint', ta().bots.commandHint, botCommands.MAX_HINT_CHARACTERS, {
        placeholder: ta().bots.commandHintExample,
      })}
      {refusal}
      <div class="listed-add">
        <button class="button primary" type="submit" disabled={isSaving}>
          {isNew ? ta().bots.addCommand : ta().bots.saveCommand}
        </button>
        <button class="button" type="button" disabled={isSaving} onClick={onCancel}>
          {t().app.cancel}
        </button>
      </div>
    </form>
  )
}
