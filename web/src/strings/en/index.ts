import { app } from './app.ts'
import { channel } from './channel.ts'
import { composer } from './composer.ts'
import { errors } from './errors.ts'
import { folders } from './folders.ts'
import { format } from './format.ts'
import { groups } from './groups.ts'
import { hints } from './hints.ts'
import { inbox } from './inbox.ts'
import { keys } from './keys.ts'
import { later } from './later.ts'
import { messages } from './messages.ts'
import { move } from './move.ts'
import { nav } from './nav.ts'
import { palette } from './palette.ts'
import { panel } from './panel.ts'
import { notifications } from './notifications.ts'
import { people } from './people.ts'
import { pictures } from './pictures.ts'
import { place } from './place.ts'
import { poll } from './poll.ts'
import { recent } from './recent.ts'
import { report } from './report.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { todo } from './todo.ts'
import { undo } from './undo.ts'
import { triage } from './triage.ts'
import { snippets } from './snippets.ts'
import { warnings } from './warnings.ts'
import { whole } from './whole.ts'
import { writing } from './writing.ts'

/** English texts, one file per part of the client. Every language has the same keys, which `tsc` checks. */
export const en = {
  app,
  signIn,
  nav,
  place,
  groups,
  hints,
  inbox,
  recent,
  report,
  channel,
  folders,
  messages,
  composer,
  format,
  search,
  later,
  move,
  pictures,
  poll,
  todo,
  palette,
  keys,
  settings,
  notifications,
  undo,
  triage,
  snippets,
  warnings,
  whole,
  writing,
  panel,
  people,
  errors,
}

export type Strings = typeof en
