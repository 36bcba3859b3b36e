"""The frames of a model and the files it includes: names, poses, joints."""
