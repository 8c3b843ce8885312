// What other features use of this one.
export { type Task, tasksQuery } from "./query";
export { runTask, type WantedTask } from "./run";
export { TasksButton } from "./TasksButton";
