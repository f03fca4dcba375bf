export const DIRECT_CONVERSATIONS = String.raw`
@ Ines, Tomasz
Ines: Do you have an hour tomorrow for the roadmap? I'd like to know what worries you before I show it to everyone.
Tomasz: Ten o'clock? And honestly: only the payments part worries me.
Ines: Then let us spend the hour on that.
Tomasz: Deal. I'll bring numbers.

@ Ada, Luca
Ada: The button on your new screen is below the keyboard on small phones
Luca: Oh no. Screenshot?
Ada: https://plotbook.example/shots/keyboard.png
Luca: Got it, fixed in five minutes. Thanks for not telling Kenji.
Ada: Kenji saw it first :grinning:

@ Kenji, Diego
Kenji: The invoice for batch 2 arrived, Freya pays it on Friday.
Diego: Thank you! It's a pleasure with you all.
Kenji: Would you like to do the stickers for the spring fair, too?
Diego: Snail stickers? YES

@ Priya, Hannah
Priya: May I quote the gardener from Porto in the newsletter, or would you rather?
Hannah: You found her, you write it! I'll only fix commas.
Priya: You always say that and then it is twice as good

@ Ines, Freya
Freya: The contract for the new office is signed. Keys on the 28th.
Ines: You made this happen all alone. Thank you.
Freya: I had help from a spreadsheet.

@ Samuel, Tomasz, Ada
Samuel: Shall we surprise Ines with the 1.9 seconds on Thursday, instead of telling her now?
Ada: She reads every commit
Tomasz: She reads every commit.
Samuel: OK then now.

@ Ines, Kenji, Hannah
Ines: Spring fair: we have a stand of three by two metres. Ideas?
Hannah: Seeds in little paper bags with the web address. Cheap, and people keep them.
Kenji: And a big paper garden where everyone draws a bed
Ines: Both, please. Budget is 400 €.
Kenji: The paper costs 30. Let us spend the rest on seeds.

@ Freya, Priya
Freya: Is your new chair all right?
Priya: My back sends its regards. It is perfect!
`
