import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'

/**
 * Runs a part of the client that is loaded when it is first used. Without a connection it may not be there.
 * @param otherwise what is done where it cannot be loaded; the person is told, unless this is given
 */
export async function withPart<Part>(
  loading: Promise<Part>,
  run: (part: Part) => void,
  otherwise: () => void = () => toast(t().errors.network),
): Promise<void> {
  let part: Part
  try {
    part = await loading
  } catch {
    otherwise()
    return
  }
  run(part)
}
