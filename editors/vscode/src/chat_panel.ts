// The chat's bundle: chat_view.ts loads it when the chat is asked for.

export { Panel } from "./chat/panel.js";
